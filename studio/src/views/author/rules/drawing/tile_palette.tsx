/** The tiles to draw with, each with its key, and the sets of tiles that patterns may ask for. */
import { useSignal } from "@preact/signals"
import { Button } from "../../../../widgets/button"
import { Menu, Switch } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { say } from "../../../../state/navigation"
import { cellStyle } from "./cells"
import { withoutLine, withSet, withTile } from "../text/edit_nodes"
import { lookOf, sets, tileLook, tiles, type Look } from "./tile_looks"
import { freeLetter, sameBrush } from "./painting"
import { Popover } from "./popover"
import { brush, edit, outline, type Brush } from "../state"

const ROLES = ["floor", "wall", "pillar", "corridor", "door", "opening", "locked", "secret", "water", "pit", "entry", "exit", "void"]

export function Swatch({ look }: { look: Look }) {
  return (
    <i class={`ar-cell ar-swatch ${look.kind}${look.fill ? "" : " bare"}`} style={cellStyle(look)} aria-hidden="true">
      {look.kind === "set" ? <b>{look.sign}</b> : look.sign}
    </i>
  )
}

function Tile({ of, look, name, keyName }: { of: Brush; look: Look; name: string; keyName?: string }) {
  return (
    <button type="button" class="ar-tile" role="radio" aria-checked={sameBrush(brush.value, of)} title={keyName ? `${name}, key ${keyName} in the drawing` : name} onClick={() => (brush.value = of)}>
      <Swatch look={look} />
      <span>{name}</span>
      {keyName && <em aria-hidden="true">{keyName}</em>}
    </button>
  )
}

export function TilePalette() {
  return (
    <section class="ar-palette" aria-label="Palette">
      <header class="ar-section">
        <h3>Palette</h3>
        <span class="gap" />
        <NewTile />
      </header>
      <div class="ar-tiles" role="radiogroup" aria-label="Tile in hand" data-arrows onKeyDown={arrows}>
        <Tile of={{ kind: "any" }} look={lookOf("?")} name="any" />
        {tiles.value.map((tile, at) => (
          <Tile key={tile.name} of={{ kind: "tile", name: tile.name }} look={tileLook(tile)} name={tile.name} {...(at < 9 ? { keyName: String(at + 1) } : {})} />
        ))}
      </div>
      <Sets />
    </section>
  )
}

/** Arrows go from tile to tile. */
function arrows(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowDown: 2, ArrowLeft: -1, ArrowUp: -2 }[event.key]
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button")]
  const at = all.findIndex((one) => one === document.activeElement)
  const next = all[Math.max(0, Math.min(all.length - 1, at + by))]
  event.preventDefault()
  next?.focus()
  next?.click()
}

function Sets() {
  return (
    <>
      <header class="ar-section">
        <h3>Sets</h3>
        <span class="gap" />
        <Popover
          label="Add a set"
          side="beside"
          class="ar-add"
          button={
            <span class="button quiet small">
              <Icon name="plus" />
              Add
            </span>
          }
        >
          {(close) => <SetEditor name={freeLetter()} fresh members={[]} not={false} close={close} />}
        </Popover>
      </header>
      <ul class="ar-sets">
        {sets.value.map((set) => {
          const one = [...set.name].length === 1
          const look = lookOf(set.name)
          const not = set.text.startsWith("not ")
          return (
            <li key={set.name}>
              <button type="button" class="ar-tile ar-set" role="radio" aria-checked={sameBrush(brush.value, { kind: "set", name: set.name })} title={one ? `Draw with ${set.name}` : `${set.name} gets a letter when it is drawn`} onClick={() => (brush.value = { kind: "set", name: set.name })}>
                <Swatch look={look} />
                <span class="mono ar-set-name">{set.name}</span>
                <span class="quiet">is</span>
                <span class="ar-members">
                  {set.of.length > 4 ? (
                    <span class="second">{not ? set.text : `${set.of.length} tiles`}</span>
                  ) : (
                    set.of.map((tile, at) => (
                      <>
                        {at > 0 && <span class="quiet">or</span>}
                        <Swatch key={tile.name} look={tileLook(tile)} />
                      </>
                    ))
                  )}
                </span>
              </button>
              <Popover label={`Change the set ${set.name}`} side="beside" class="ar-set-edit" button={<Icon name="more" small />}>
                {(close) => <SetEditor name={set.name} fresh={false} members={set.of.map((tile) => tile.name)} not={false} close={close} />}
              </Popover>
            </li>
          )
        })}
        {sets.value.length === 0 && <li class="quiet ar-no-sets">A set is several tiles that a pattern does not tell apart.</li>}
      </ul>
    </>
  )
}

function SetEditor({ name, fresh, members, not, close }: { name: string; fresh: boolean; members: string[]; not: boolean; close: () => void }) {
  const called = useSignal(name)
  const on = useSignal(new Set(members))
  const others = useSignal(not)
  const names = [...on.value]
  const save = (): void => {
    const word = called.value.trim()
    if (names.length === 0 || !word) return
    edit(withSet(outline.peek(), word, tiles.peek().map((tile) => tile.name).filter((one) => on.peek().has(one)), others.peek()))
    brush.value = { kind: "set", name: word }
    close()
  }
  const remove = (): void => {
    const line = outline.peek().sets.find((set) => set.name === name)?.line
    if (line === undefined) return
    edit(withoutLine(outline.peek(), line))
    if (sameBrush(brush.peek(), { kind: "set", name })) brush.value = { kind: "any" }
    say(`The set ${name} is gone. Undo brings it back.`)
    close()
  }
  return (
    <form
      class="ar-set-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label class="field small">
        <span class="quiet">name</span>
        <input class="mono" type="text" aria-label="Name of the set" maxLength={24} readOnly={!fresh} value={called.value} onInput={(event) => (called.value = event.currentTarget.value)} />
      </label>
      <div class="ar-pick" role="group" aria-label="Tiles of the set">
        {tiles.value.map((tile) => (
          <button
            key={tile.name}
            type="button"
            class="ar-tile"
            aria-pressed={on.value.has(tile.name)}
            onClick={() => {
              const next = new Set(on.value)
              if (!next.delete(tile.name)) next.add(tile.name)
              on.value = next
            }}
          >
            <Swatch look={tileLook(tile)} />
            <span>{tile.name}</span>
          </button>
        ))}
      </div>
      <Switch label="All tiles but these" value={others.value} onChange={(value) => (others.value = value)} />
      <footer>
        {!fresh && (
          <Button small look="quiet" onClick={remove}>
            Delete
          </Button>
        )}
        <span class="gap" />
        <Button small look="main" disabled={names.length === 0 || !called.value.trim()} onClick={save}>
          {fresh ? "Add the set" : "Change"}
        </Button>
      </footer>
    </form>
  )
}

/** A tile of the file's own. */
function NewTile() {
  return (
    <Popover label="Add a tile" side="beside" class="ar-add" button={<span class="button quiet small square"><Icon name="plus" /></span>}>
      {(close) => <TileForm close={close} />}
    </Popover>
  )
}

function TileForm({ close }: { close: () => void }) {
  const name = useSignal("")
  const sign = useSignal("")
  const role = useSignal("pillar")
  const colour = useSignal("#f4d35e")
  const ready = name.value.trim() !== "" && [...sign.value].length === 1 && !/[\s?;|/{}"-]/.test(sign.value)
  const add = (): void => {
    if (!ready) return
    edit(withTile(outline.peek(), name.value.trim(), sign.value, role.value, colour.value))
    brush.value = { kind: "tile", name: name.value.trim() }
    close()
  }
  return (
    <form
      class="ar-set-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <label class="field small">
        <span class="quiet">name</span>
        <input type="text" aria-label="Name of the tile" placeholder="chest" maxLength={40} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <div class="row">
        <label class="field small ar-sign">
          <span class="quiet">sign</span>
          <input class="mono" type="text" aria-label="Sign of the tile" placeholder="$" maxLength={2} value={sign.value} onInput={(event) => (sign.value = event.currentTarget.value)} />
        </label>
        <input class="ar-colour" type="color" aria-label="Colour of the tile" value={colour.value} onInput={(event) => (colour.value = event.currentTarget.value)} />
        <Menu small label="Role of the tile" value={role.value} options={ROLES.map((value) => ({ value, title: value }))} onChange={(value) => (role.value = value)} />
      </div>
      <footer>
        <span class="gap" />
        <Button small look="main" disabled={!ready} onClick={add}>
          Add the tile
        </Button>
      </footer>
    </form>
  )
}

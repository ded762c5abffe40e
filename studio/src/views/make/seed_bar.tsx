/** Seed, shuffle, back and forward, size, style, link. */
import { useSignal } from "@preact/signals"
import { Button } from "../../widgets/button"
import { Menu, Segmented } from "../../widgets/choices"
import { Icon } from "../../widgets/icons"
import { runOnLevel } from "../../project/open_in_author"
import { goBack, canGoBack, canGoOn, goForward, toggleFavourite, starred } from "../../state/history"
import { copyLink, turnAgain } from "../../project/works"
import { say } from "../../state/navigation"
import { chosenStyle, style, styles } from "../../state/picture"
import { shuffle, useSeed, useSize } from "../../state/seeds"
import { level } from "../../state/level"
import { card, isMap, seed, size, work } from "../../state/work"

/** Letters of a seed beside which all styles have room; for longer ones the styles go into their menu. */
const SHORT_SEED = 9

export function Bar() {
  const map = work.value !== null && isMap(work.value)
  return (
    <div class={"make-bar" + (seed.value.length > SHORT_SEED ? " long-seed" : "")}>
      {map ? (
        <>
          <span class="make-map">A map from a file</span>
          <Button small look="quiet" onClick={() => void turnAgain().then((failed) => failed && say(failed))}>
            Turn again
          </Button>
        </>
      ) : (
        <>
          <SeedBox />
          <Button icon="shuffle" keys={["Space"]} class="shuffle" onClick={shuffle}>
            Shuffle
          </Button>
        </>
      )}
      <span class="make-steps">
        <Button icon="back" label="Back" keys={["["]} look="quiet" disabled={!canGoBack.value} onClick={goBack} />
        <Button icon="on" label="Forward" keys={["]"]} look="quiet" disabled={!canGoOn.value} onClick={goForward} />
      </span>
      {map ? <MapSize /> : <SizeBox />}
      <span class="gap" />
      <Styles />
      <Button icon="rules" class="run-here" label="Run rules on this level" onClick={() => runOnLevel()} />
      <Button icon="link" label="Copy link" keys={["Shift", "C"]} onClick={() => void copyLink()} />
    </div>
  )
}

function SeedBox() {
  const typing = useSignal<string | null>(null)
  const take = (): void => {
    if (typing.value !== null) useSeed(typing.value)
    typing.value = null
  }
  return (
    <div class="field seed">
      <label class="seed-label">
        <span class="field-name">Seed</span>
        <input
          class="mono"
          type="text"
          aria-label="Seed: a number or words"
          value={typing.value ?? seed.value}
          title={seed.value}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => (typing.value = event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") {
              take()
              event.currentTarget.blur()
            }
          }}
        />
      </label>
      <button type="button" class={"seed-star" + (starred.value ? " on" : "")} aria-pressed={starred.value} aria-label="Favourite" title="Favourite (F)" onClick={toggleFavourite}>
        <Icon name="star" filled={starred.value} />
      </button>
    </div>
  )
}

function SizeBox() {
  const typing = useSignal<[string, string] | null>(null)
  const [width, height] = size.value
  const shown: [string, string] = typing.value ?? [String(width), String(height)]
  const take = (): void => {
    const next = typing.value?.map(Number)
    typing.value = null
    if (!next || !next.every((side) => Number.isInteger(side) && side > 0)) return
    const own = card.peek()?.size
    if (next[0] === width && next[1] === height) return
    useSize(own && own[0] === next[0] && own[1] === next[1] ? null : (next as [number, number]))
  }
  const side = (at: 0 | 1, label: string) => (
    <input
      class="mono"
      type="text"
      inputMode="numeric"
      aria-label={label}
      size={Math.max(2, shown[at].length)}
      value={shown[at]}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => {
        const next: [string, string] = [...shown]
        next[at] = event.currentTarget.value
        typing.value = next
      }}
      onBlur={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Element && to.closest(".size"))) take()
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") take()
        const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0
        if (by) {
          event.preventDefault()
          const next: [number, number] = [width, height]
          next[at] = Math.max(1, next[at] + by * (event.shiftKey ? 10 : 1))
          typing.value = null
          useSize(next)
        }
      }}
    />
  )
  return (
    <div class="field size" role="group" aria-label="Size in cells">
      <span class="field-name">Size</span>
      {side(0, "Width")}
      <span class="quiet">×</span>
      {side(1, "Height")}
    </div>
  )
}

/** A map from a file has the size it has. */
function MapSize() {
  const head = level.value?.head
  return head ? (
    <span class="make-map mono">
      {head.size[0]} × {head.size[1]}
    </span>
  ) : null
}

const MAIN_STYLES = ["pixels", "ink", "parchment", "blueprint", "dark"]

/** The styles side by side; those for which there is no room go into a menu, where all others are. */
function Styles() {
  const names = styles.value
  const choose = (name: string): void => void (chosenStyle.value = name)
  const options = (from: readonly string[]) => from.filter((name) => names.includes(name)).map((name) => ({ value: name, title: name }))
  const few = MAIN_STYLES.filter((name) => name !== "blueprint")
  return (
    <div class="make-styles">
      <Segmented class="styles-all" label="Style" value={style.value} options={options(MAIN_STYLES)} onChange={choose} />
      <Segmented class="styles-some" label="Style" value={style.value} options={options(few)} onChange={choose} />
      <span class={"styles-more" + (MAIN_STYLES.includes(style.value) && style.value !== "blueprint" ? "" : " on")} title="More styles">
        <Menu label="All styles" value={style.value} options={names.map((name) => ({ value: name, title: name }))} onChange={choose} />
      </span>
      <span class="styles-menu">
        <Menu label="Style" value={style.value} options={names.map((name) => ({ value: name, title: name }))} onChange={choose} />
      </span>
    </div>
  )
}

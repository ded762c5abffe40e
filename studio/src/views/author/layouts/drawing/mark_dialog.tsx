/** A slot (a place for a thing) or a socket (a place where rooms are joined): its name, and what lies under it or becomes of it. */
import { signal, useSignal } from "@preact/signals"
import { Button } from "../../../../widgets/button"
import { Menu, Segmented } from "../../../../widgets/choices"
import { Dialog } from "../../../../widgets/dialog"
import { Icon } from "../../../../widgets/icons"
import { declared, paints, sameWare, tool, ware, type Ware } from "./brush"
import { withMarkChanged } from "../edits"
import type { Mark } from "../model"
import { doc, drawAndSettle } from "../state"
import { Swatch } from "./swatch"

/** Open for a new one (`from` null), or to change one. */
export const marking = signal<{ from: Ware | null } | null>(null)

const BECOMES = ["door", "opening", "locked", "secret", "floor", "corridor"]
const UNDER = ["floor", "corridor", "stairs up", "stairs down"]
/** What the library takes for a name. */
const NAME = /^[^\s,;="](?: ?[^\s,;="]){0,59}$/

export function MarkDialog() {
  const from = marking.value?.from ?? null
  const mark = from?.mark
  const what = useSignal<"slot" | "socket">(mark?.what ?? "slot")
  const kind = useSignal(mark?.kind ?? "")
  const becomes = useSignal(mark?.what === "socket" ? mark.becomes : "door")
  const under = useSignal(mark?.what === "slot" ? (from?.tile ?? "floor") : "floor")
  const close = (): void => void (marking.value = null)
  const name = kind.value.trim().replace(/\s+/g, " ")
  const good = NAME.test(name)
  const made: Ware = what.value === "slot" ? { tile: under.value, mark: { what: "slot", kind: name } } : { tile: "wall", mark: { what: "socket", kind: name, becomes: becomes.value } }
  const done = (): void => {
    if (!good) return
    const now = doc.peek()
    if (from?.mark && now) {
      drawAndSettle(withMarkChanged(now, { mark: from.mark, tile: from.tile }, { mark: made.mark as Mark, tile: made.tile }))
      declared.value = declared.peek().filter((one) => !sameWare(one, from))
    }
    declared.value = [...declared.peek(), made]
    ware.value = made
    if (tool.peek() === "erase" || tool.peek() === "pick") tool.value = "pencil"
    if (paints.peek() === "part") paints.value = "both"
    close()
  }
  return (
    <Dialog label={from ? "Change a slot or socket" : "Add a slot or a socket"} title={from ? `Change ${mark?.what ?? ""} ${mark?.kind ?? ""}` : "Add a slot or a socket"} class="lay-dialog" onClose={close}>
      <form
        class="dialog-body lay-form"
        onSubmit={(event) => {
          event.preventDefault()
          done()
        }}
      >
        <Segmented
          label="What it is"
          value={what.value}
          options={[
            { value: "slot", title: "Slot" },
            { value: "socket", title: "Socket" },
          ]}
          onChange={(value) => (what.value = value)}
        />
        <p class="second">{what.value === "slot" ? "A place where a thing of that name may be put: a chest, an altar, a guard." : "A place in the outer wall where this room can be joined to another that has a socket of the same name. A plain door is a socket too."}</p>
        <label class="field">
          <Swatch of={made} size={20} />
          <input type="text" aria-label="Name" placeholder={what.value === "slot" ? "chest" : "gate"} autofocus maxLength={60} value={kind.value} onInput={(event) => (kind.value = event.currentTarget.value)} />
        </label>
        {name && !good && (
          <p class="bad row">
            <Icon name="warn" small /> A name has none of , ; = and quotes.
          </p>
        )}
        {what.value === "slot" ? (
          <div class="lay-row">
            <span>Under it</span>
            <Menu label="Tile under the slot" value={under.value} options={UNDER.map((value) => ({ value, title: value }))} onChange={(value) => (under.value = value)} />
          </div>
        ) : (
          <div class="lay-row">
            <span>Joined, it becomes</span>
            <Menu label="What the socket becomes" value={becomes.value} options={BECOMES.map((value) => ({ value, title: value }))} onChange={(value) => (becomes.value = value)} />
          </div>
        )}
      </form>
      <footer class="dialog-foot">
        {from?.mark && (
          <Button
            icon="trash"
            look="quiet"
            onClick={() => {
              const now = doc.peek()
              if (now && from.mark) drawAndSettle(withMarkChanged(now, { mark: from.mark, tile: from.tile }, null))
              declared.value = declared.peek().filter((one) => !sameWare(one, from))
              ware.value = { tile: from.mark?.what === "slot" ? from.tile : "wall" }
              close()
            }}
          >
            Remove
          </Button>
        )}
        <span class="gap" />
        <Button look="main" disabled={!good} onClick={done}>
          {from ? "Change" : "Add"}
        </Button>
      </footer>
    </Dialog>
  )
}

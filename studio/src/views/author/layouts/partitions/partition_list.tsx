/** The partitions in the order in which they are painted: drag one, or move it with Alt and the arrow keys. */
import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { Button } from "../../../../widgets/button"
import { Icon, type IconName } from "../../../../widgets/icons"
import { say } from "../../../../state/navigation"
import { withNewPart, MAX_PARTS, withPartMoved } from "../edits"
import { colourOf } from "../part_colours"
import { BASE, partName, cellsOfPart, OVERLAY, partOf, type Doc, type Part } from "../model"
import { chosen, doc, drawAndSettle } from "../state"
import { cellCount, ordinal, growthText } from "./partition_words"

export function Partitions() {
  const now = doc.value
  const list = useRef<HTMLUListElement>(null)
  const dragged = useSignal<{ id: number; to: number } | null>(null)
  if (!now) return null
  const order = dragged.value ? withPartMoved(now, dragged.value.id, dragged.value.to).parts : now.parts
  return (
    <section class="lay-parts" aria-label="Partitions">
      <header class="lay-parts-head">
        <h2 class="caption">Partitions, painted in this order</h2>
        <span class="gap" />
        <Button
          small
          look="quiet"
          icon="plus"
          label="Add a partition"
          disabled={now.parts.length >= MAX_PARTS}
          onClick={addPartition}
        >
          Add
        </Button>
      </header>
      <ul ref={list} class="lay-part-list" role="listbox" aria-label="Partitions, painted in this order" data-arrows onKeyDown={onKey}>
        {order.map((part) => (
          <Row key={part.id} doc={now} id={part.id} held={dragged.value?.id === part.id}>
            <span
              class="lay-grip"
              aria-hidden="true"
              title="Drag to change the order"
              onPointerDown={(event) => drag(event, part.id)}
            >
              <Icon name="grip" />
            </span>
            <span class="lay-swatch" style={{ background: colourOf(now, part.id) }} />
            <span class="lay-part-name">{partName(now, part.id)}</span>
            <Growth part={part} />
          </Row>
        ))}
        <Row doc={now} id={BASE}>
          <span />
          <span class="lay-swatch base" />
          <span class="lay-part-name second">base</span>{" "}
          <span class="lay-growth">not scaled</span>
        </Row>
        <Row doc={now} id={OVERLAY}>
          <span />
          <span class="lay-swatch overlay" />
          <span class="lay-part-name second">overlay</span>{" "}
          <span class="lay-growth">{overlayText(now)}</span>
        </Row>
      </ul>
    </section>
  )

  function drag(event: PointerEvent, id: number): void {
    event.preventDefault()
    const grip = event.currentTarget as HTMLElement
    grip.setPointerCapture(event.pointerId)
    chosen.value = id
    const place = (moved: PointerEvent): number => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-part]") ?? [])]
      const past = rows.filter((row) => Number(row.dataset.part) >= 0 && Number(row.dataset.part) !== id && row.getBoundingClientRect().top + row.offsetHeight / 2 < moved.clientY)
      return past.length
    }
    const follow = (moved: PointerEvent): void => void (dragged.value = { id, to: place(moved) })
    const stop = (): void => {
      grip.removeEventListener("pointermove", follow)
      const to = dragged.peek()?.to
      dragged.value = null
      const held = doc.peek()
      if (held && to !== undefined) reorder(held, id, to)
    }
    grip.addEventListener("pointermove", follow)
    grip.addEventListener("pointerup", stop, { once: true })
    grip.addEventListener("pointercancel", stop, { once: true })
  }
}

function addPartition(): void {
  const now = doc.peek()
  if (!now) return
  const { doc: next, id } = withNewPart(now, partOf(now, chosen.peek()))
  drawAndSettle(next)
  chosen.value = id
  say("One more partition, painted last. Give it a name, and paint its cells.")
}

function reorder(now: Doc, id: number, to: number): void {
  const next = withPartMoved(now, id, to)
  if (next === now) return
  drawAndSettle(next)
  say(`${partName(next, id)} is painted ${ordinal(next.parts.findIndex((part) => part.id === id) + 1)} now`)
}

/** Paints the chosen partition so many places later. */
export function shiftPartition(by: number): void {
  const now = doc.peek()
  const at = now?.parts.findIndex((part) => part.id === chosen.peek()) ?? -1
  if (now && at >= 0) reorder(now, chosen.peek(), at + by)
}

/** One partition on or back in the list. */
export function choosePartition(by: number): void {
  const now = doc.peek()
  if (!now) return
  const all = [...now.parts.map((part) => part.id), BASE, OVERLAY]
  chosen.value = all[(all.indexOf(chosen.peek()) + by + all.length) % all.length] as number
}

function onKey(event: KeyboardEvent): void {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (by === undefined || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  if (event.altKey) shiftPartition(by)
  else choosePartition(by)
  const list = event.currentTarget as HTMLElement
  requestAnimationFrame(() => list.querySelector<HTMLElement>("[aria-selected=true]")?.focus())
}

interface RowProps {
  doc: Doc
  id: number
  held?: boolean
  children: preact.ComponentChildren
}

const overlayText = (now: Doc): string => `${cellCount(cellsOfPart(now, OVERLAY).length)}, drawn last`

function Row({ doc: now, id, held, children }: RowProps) {
  const on = chosen.value === id
  const part = partOf(now, id)
  const said = part ? `${partName(now, id)}, ${growthText(part)}` : id === BASE ? "base, not scaled, painted first" : `overlay, ${overlayText(now)}, not scaled`
  return (
    <li
      class={"lay-part" + (on ? " on" : "") + (held ? " held" : "")}
      role="option"
      aria-selected={on}
      aria-label={said}
      tabIndex={on ? 0 : -1}
      data-part={id}
      style={{ "--own": id >= 0 ? colourOf(now, id) : "var(--tx3)" }}
      onClick={() => (chosen.value = id)}
    >
      {children}
    </li>
  )
}

const ARROWS: Record<"x" | "y", Record<string, IconName>> = {
  x: { "-1": "left", "0": "centre", "1": "right" },
  y: { "-1": "up", "0": "upright", "1": "downward" },
}
export const arrowIcon = (axis: "x" | "y", direction: number): IconName => ARROWS[axis][String(direction)] as IconName

/** How a partition grows, at a glance. */
function Growth({ part }: { part: Part }) {
  const free = (["x", "y"] as const).filter((axis) => !part[axis].locked)
  return (
    <span class="lay-growth" aria-hidden="true">
      {free.map((axis) => (
        <span key={axis} class="lay-growth-axis">
          <Icon name={arrowIcon(axis, part[axis].direction)} small />
          <b data-amount={part[axis].by === "multiples" ? "×2" : part[axis].amount} />
        </span>
      ))}
      {part.ratio && free.length === 2 && <Icon name="link" small />}
      {free.length < 2 && <Icon name="lock" small />}
    </span>
  )
}

/**
 * A block of cells that can be drawn on: with the mouse, a pen or a finger, and by keyboard.
 *
 * Drag paints with the tile in hand, the right button with "any", Alt picks up what lies there. Arrows move, a sign or Space writes, 1 to 9 choose a tile.
 */
import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { cellsBetween } from "../../../../canvas/cells_between"
import { cellStyle, gridStyle, type Rows } from "./cells"
import { lookOf, lookName } from "./tile_looks"
import { brushFor, brushesByKey, paint, pickFrom, pointedCell, sameTarget, touchedCell, type Target } from "./painting"
import { brush, endGroup, redo, undo, type Brush } from "../state"
import type { Side } from "../text/edit_drawing"

interface Props {
  target: Target
  /** -1 is the pattern, then the results. */
  block: number
  rows: Rows
  size: number
  label: string
  mark?: (x: number, y: number) => string
  /** A row or column more or less at a side. */
  onResize?: (side: Side, by: number) => void
}

const ARROWS: Record<string, [number, number, Side]> = { ArrowLeft: [-1, 0, "left"], ArrowRight: [1, 0, "right"], ArrowUp: [0, -1, "top"], ArrowDown: [0, 1, "bottom"] }
let strokeNumber = 0

export function Board({ target, block, rows, size, label, mark, onResize }: Props) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const stroke = useRef<{ name: string; with: Brush; last: [number, number] } | null>(null)
  const cursor = useSignal<[number, number]>([0, 0])
  const focused = useSignal(false)
  const wide = rows[0]?.length ?? 1
  const high = rows.length
  const [cx, cy] = [Math.min(cursor.value[0], wide - 1), Math.min(cursor.value[1], high - 1)]
  const signAt = (x: number, y: number): string => rows[y]?.[x] ?? "?"

  const cellAt = (event: PointerEvent): [number, number] | null => {
    const area = box.current?.getBoundingClientRect()
    if (!area) return null
    const x = Math.floor(((event.clientX - area.left) / area.width) * wide)
    const y = Math.floor(((event.clientY - area.top) / area.height) * high)
    return x < 0 || y < 0 || x >= wide || y >= high ? null : [x, y]
  }
  const touch = (at: [number, number] | null): void => {
    const was = touchedCell.peek()
    if (!at) touchedCell.value = null
    else if (was?.x !== at[0] || was.y !== at[1] || was.block !== block || !sameTarget(was.target, target)) touchedCell.value = { target, block, x: at[0], y: at[1] }
  }
  const write = (cells: [number, number][], of: Brush, name: string): void => paint(target, block, cells, of, name)

  const down = (event: PointerEvent): void => {
    const at = cellAt(event)
    if (!at || event.button === 1) return
    box.current?.focus({ preventScroll: true })
    cursor.value = at
    if (event.altKey) {
      pickFrom(signAt(...at))
      return
    }
    event.preventDefault()
    box.current?.setPointerCapture(event.pointerId)
    stroke.current = { name: `stroke ${++strokeNumber}`, with: event.button === 2 ? { kind: "any" } : brush.peek(), last: at }
    write([at], stroke.current.with, stroke.current.name)
  }
  const move = (event: PointerEvent): void => {
    const at = cellAt(event)
    touch(at)
    const now = stroke.current
    if (!now || !at || (at[0] === now.last[0] && at[1] === now.last[1])) return
    write(cellsBetween(now.last, at), now.with, now.name)
    now.last = at
    cursor.value = at
  }
  const up = (): void => {
    if (stroke.current) endGroup()
    stroke.current = null
  }
  const moveTo = (x: number, y: number): void => {
    cursor.value = [Math.max(0, Math.min(wide - 1, x)), Math.max(0, Math.min(high - 1, y))]
    touchedCell.value = { target, block, x: cursor.peek()[0], y: cursor.peek()[1] }
  }
  const key = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key]
    const command = event.ctrlKey || event.metaKey
    const done = (): void => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (arrow) {
      if (event.altKey) return
      if ((event.shiftKey || command) && onResize) onResize(arrow[2], command ? -1 : 1)
      else moveTo(cx + arrow[0], cy + arrow[1])
      done()
      return
    }
    if (command && event.key.toLowerCase() === "z") {
      if (event.shiftKey) redo()
      else undo()
      done()
      return
    }
    if (command || event.altKey || event.key === "Tab" || event.key === "Escape") return
    if (event.key === "Home") moveTo(0, cy)
    else if (event.key === "End") moveTo(wide - 1, cy)
    else if (event.key === " " || event.key === "Enter") write([[cx, cy]], brush.peek(), `stroke ${++strokeNumber}`)
    else if (event.key === "Backspace" || event.key === "Delete") {
      write([[cx, cy]], { kind: "any" }, `stroke ${++strokeNumber}`)
      if (event.key === "Backspace") moveTo(cx - 1, cy)
    } else if (/^[1-9]$/.test(event.key) && !brushFor(event.key)) {
      const chosen = brushesByKey()[Number(event.key) - 1]
      if (chosen) brush.value = chosen
    } else if ([...event.key].length === 1) {
      const typed = brushFor(event.key)
      if (!typed) return
      write([[cx, cy]], typed, "typed cells")
      brush.value = typed
      if (cx < wide - 1) moveTo(cx + 1, cy)
      else if (cy < high - 1) moveTo(0, cy + 1)
    } else return
    done()
  }
  const at = pointedCell.value && pointedCell.value.block === block && sameTarget(pointedCell.value.target, target) ? pointedCell.value : null
  return (
    <div
      ref={box}
      class="ar-cells ar-board"
      role="grid"
      tabIndex={0}
      data-arrows
      aria-label={label}
      aria-rowcount={high}
      aria-colcount={wide}
      aria-activedescendant={focused.value ? `${id}-${cx}-${cy}` : undefined}
      style={gridStyle(rows, size)}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={() => touch(null)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={key}
      onFocus={() => (focused.value = true)}
      onBlur={() => {
        focused.value = false
        touch(null)
      }}
    >
      {rows.map((row, y) => (
        <div key={y} role="row" class="ar-row">
          {row.map((sign, x) => {
            const look = lookOf(sign)
            const names = ["ar-cell", look.kind, look.fill ? "" : "bare", mark?.(x, y) ?? "", focused.value && x === cx && y === cy ? "cursor" : "", at?.x === x && at.y === y ? "pointed" : ""]
            return (
              <span key={x} id={`${id}-${x}-${y}`} role="gridcell" aria-label={`column ${x + 1}, row ${y + 1}: ${lookName(look)}`} class={names.filter(Boolean).join(" ")} style={cellStyle(look)}>
                {size >= 12 && (look.kind === "set" ? <b>{look.sign}</b> : look.sign)}
              </span>
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** Edits of a layout. Each gives a new one, or the same if there is nothing to change. */
import { placeOfKey, BASE, boxOf, FREE_AXIS, cellKey, newId, type Axis, type Cell, type Doc, type Mark, type Part } from "./model"

/** The most cells a side of a drawing may have, and the most partitions there may be: the limits of the library. */
export const MAX_SIDE = 255
export const MAX_PARTS = 60

/** What a brush puts down: a tile or a mark, or a partition, or both. What it does not name stays as it is. */
export interface Brush {
  tile: { tile: string; mark?: Mark } | null
  part: number | null
}

const sameCell = (a: Cell | undefined, b: Cell): boolean => a !== undefined && a.tile === b.tile && a.part === b.part && JSON.stringify(a.mark) === JSON.stringify(b.mark)

/** What a cell becomes under a brush; null if it stays empty: a brush that paints only partitions needs a tile. */
export function cellUnderBrush(cell: Cell | undefined, brush: Brush): Cell | null {
  const tile = brush.tile ?? (cell ? { tile: cell.tile, ...(cell.mark ? { mark: cell.mark } : {}) } : null)
  if (!tile) return null
  return { tile: tile.tile, ...(tile.mark ? { mark: tile.mark } : {}), part: brush.part ?? cell?.part ?? BASE }
}

export function withCellsPainted(doc: Doc, cells: readonly string[], brush: Brush): Doc {
  const next = new Map(doc.cells)
  let any = false
  for (const one of cells) {
    const to = cellUnderBrush(next.get(one), brush)
    if (!to || sameCell(next.get(one), to)) continue
    next.set(one, to)
    any = true
  }
  return any && fits(next) ? { ...doc, cells: next } : doc
}

export function withCellsErased(doc: Doc, cells: readonly string[]): Doc {
  const next = new Map(doc.cells)
  for (const one of cells) next.delete(one)
  return next.size === doc.cells.size ? doc : { ...doc, cells: next }
}

const fits = (cells: ReadonlyMap<string, Cell>): boolean => {
  const box = boxOf(cells.keys())
  return !box || (box.width <= MAX_SIDE && box.height <= MAX_SIDE)
}

/** The connected cells that equal one. Outside of the drawing only the holes in it can be filled. */
export function floodCells(doc: Doc, x: number, y: number): string[] {
  const box = boxOf(doc.cells.keys())
  if (!box) return [cellKey(x, y)]
  const like = doc.cells.get(cellKey(x, y))
  const found = new Set<string>()
  const waiting: [number, number][] = [[x, y]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [cx, cy] = next
    const one = cellKey(cx, cy)
    if (found.has(one) || cx < box.x || cy < box.y || cx >= box.x + box.width || cy >= box.y + box.height) continue
    const cell = doc.cells.get(one)
    if (like ? !sameCell(cell, like) : cell !== undefined) continue
    found.add(one)
    waiting.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1])
  }
  return [...found]
}

/* ---- columns and rows ---- */

/** With `count` copies of a column (axis 0) or row (1) after it; what lies behind moves on. */
export function withLineCopied(doc: Doc, axis: 0 | 1, line: number, count = 1): Doc {
  const next = new Map<string, Cell>()
  for (const [one, cell] of doc.cells) {
    const place = placeOfKey(one)
    if (place[axis] > line) place[axis] += count
    next.set(cellKey(...place), cell)
    if (place[axis] === line)
      for (let copy = 1; copy <= count; copy++) {
        const beside: [number, number] = [...place]
        beside[axis] += copy
        next.set(cellKey(...beside), cell)
      }
  }
  return fits(next) ? { ...doc, cells: next } : doc
}

/** Without some columns (axis 0) or rows (1); what lies behind moves up. */
export function withoutLines(doc: Doc, axis: 0 | 1, line: number, count = 1): Doc {
  const next = new Map<string, Cell>()
  for (const [one, cell] of doc.cells) {
    const place = placeOfKey(one)
    if (place[axis] >= line && place[axis] < line + count) continue
    if (place[axis] >= line + count) place[axis] -= count
    next.set(cellKey(...place), cell)
  }
  return next.size ? { ...doc, cells: next } : doc
}

export type Side = "left" | "right" | "top" | "bottom"

/**
 * A wall is pulled out or pushed in by so many cells: the outermost column or row moves, and the one behind it is copied or goes.
 * The opposite side stays where it is.
 */
export function withSidePulled(doc: Doc, side: Side, by: number): Doc {
  const box = boxOf(doc.cells.keys())
  if (!box || by === 0) return doc
  const axis = side === "left" || side === "right" ? 0 : 1
  const first = axis === 0 ? box.x : box.y
  const long = axis === 0 ? box.width : box.height
  const far = side === "right" || side === "bottom"
  const inner = long === 1 ? first : far ? first + long - 2 : first + 1
  if (by > 0) return far ? withLineCopied(doc, axis, inner, by) : withCellsMoved(withLineCopied(doc, axis, inner, by), axis, -by)
  const count = Math.min(-by, long - 2)
  if (count <= 0) return doc
  return far ? withoutLines(doc, axis, first + long - 1 - count, count) : withCellsMoved(withoutLines(doc, axis, first + 1, count), axis, count)
}

function withCellsMoved(doc: Doc, axis: 0 | 1, by: number): Doc {
  const next = new Map<string, Cell>()
  for (const [one, cell] of doc.cells) {
    const place = placeOfKey(one)
    place[axis] += by
    next.set(cellKey(...place), cell)
  }
  return { ...doc, cells: next }
}

/* ---- partitions ---- */

export function withPart(doc: Doc, id: number, by: Partial<Part>): Doc {
  return { ...doc, parts: doc.parts.map((part) => (part.id === id ? { ...part, ...by } : part)) }
}

/** One more partition, painted last. It grows as the one that was chosen does. */
export function withNewPart(doc: Doc, like: Part | undefined): { doc: Doc; id: number } {
  const id = newId()
  const names = new Set(doc.parts.map((part) => part.name))
  let name = "new"
  for (let number = 2; names.has(name); number++) name = `new ${number}`
  const part: Part = { id, name, colour: "", icon: "", ratio: false, x: like?.x ?? FREE_AXIS, y: like?.y ?? FREE_AXIS }
  return { doc: { ...doc, parts: [...doc.parts, part] }, id }
}

/** Without a partition; its cells belong to the base now. */
export function withoutPart(doc: Doc, id: number): Doc {
  const cells = new Map([...doc.cells].map(([one, cell]) => [one, cell.part === id ? { ...cell, part: BASE } : cell]))
  return { ...doc, parts: doc.parts.filter((part) => part.id !== id), cells }
}

/** Painted so many places earlier (negative) or later. */
export function withPartMoved(doc: Doc, id: number, to: number): Doc {
  const from = doc.parts.findIndex((part) => part.id === id)
  const place = Math.max(0, Math.min(doc.parts.length - 1, to))
  if (from < 0 || from === place) return doc
  const parts = [...doc.parts]
  parts.splice(place, 0, ...parts.splice(from, 1))
  return { ...doc, parts }
}

/** All cells of one part belong to another. */
export function withCellsReassigned(doc: Doc, from: number, to: number): Doc {
  return { ...doc, cells: new Map([...doc.cells].map(([one, cell]) => [one, cell.part === from ? { ...cell, part: to } : cell])) }
}

/**
 * Another way to grow along an axis, and what else must change with it: from the centre an amount is even, and a ratio needs both axes free or both locked.
 * `said` is a sentence about what else was changed.
 */
export function withGrowth(doc: Doc, id: number, axis: "x" | "y", by: Partial<Axis>): { doc: Doc; said: string } {
  const part = doc.parts.find((one) => one.id === id)
  if (!part) return { doc, said: "" }
  const next = { ...part[axis], ...by }
  let said = ""
  if (next.by === "amount" && next.direction === 0 && next.amount % 2) {
    next.amount = by.amount !== undefined && by.amount < part[axis].amount ? Math.max(2, next.amount - 1) : next.amount + 1
    if (by.amount === undefined) said = `The amount is ${next.amount} now: half of it goes to each side.`
  }
  const other = part[axis === "x" ? "y" : "x"]
  const ratio = part.ratio && next.locked === other.locked
  if (part.ratio && !ratio) said = "The ratio is unlocked now: it needs both axes free."
  return { doc: withPart(doc, id, { [axis]: next, ratio }), said }
}

/** A slot or a socket is called otherwise, or becomes something else, wherever it is drawn. */
export function withMarkChanged(doc: Doc, from: { mark: Mark; tile: string }, to: { mark: Mark; tile: string } | null): Doc {
  const is = (cell: Cell): boolean => JSON.stringify(cell.mark) === JSON.stringify(from.mark) && (from.mark.what === "socket" || cell.tile === from.tile)
  const cells = [...doc.cells].map(([one, cell]): [string, Cell] => [one, is(cell) ? (to ? { ...cell, tile: to.tile, mark: to.mark } : { tile: cell.tile, part: cell.part }) : cell])
  return { ...doc, cells: new Map(cells) }
}


/** Strokes of the brush over the cells of a rule or of an expectation: what may stand there, and what it does to the text. */
import { signal } from "@preact/signals"
import { say } from "../../../../state/navigation"
import { outlineOf, type Outline } from "../text/anatomy"
import type { PatternDrawing } from "../text/blocks"
import { withCellsPainted, type Stroke } from "../text/edit_drawing"
import { withSet } from "../text/edit_nodes"
import { lookOf, sets, signs, tileOf, tiles, usualSign } from "./tile_looks"
import { brush, chosen, edit, outline, type Brush } from "../state"

/** A drawing of the text: of the chosen rule, or of the expectation that begins on a line. */
export type Target = { kind: "rule" } | { kind: "expect"; line: number }

export function drawingAt(target: Target, of: Outline = outline.peek()): PatternDrawing | null {
  if (target.kind === "rule") return of.rules[Math.min(chosen.peek(), of.rules.length - 1)]?.drawn ?? null
  return of.expects.find((expect) => expect.line === target.line)?.drawn ?? null
}

/** The cell under the pointer or the cursor, in the drawing and in the text. */
export const touchedCell = signal<{ target: Target; block: number; x: number; y: number } | null>(null)
/** The cell of the drawing at which the text's cursor stands. */
export const pointedCell = signal<{ target: Target; block: number; x: number; y: number } | null>(null)
export const sameTarget = (a: Target | undefined, b: Target): boolean => a?.kind === b.kind && (a.kind === "rule" || (b.kind === "expect" && a.line === b.line))

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
/** A letter that neither a tile nor a set has. */
export function freeLetter(): string {
  const taken = new Set([...signs.peek().join(""), ...sets.peek().map((set) => set.name), ...tiles.peek().map((tile) => tile.name)])
  return Array.from(LETTERS).find((letter) => !taken.has(letter)) ?? "a"
}

/** The sign that a brush writes, and the text that defines it. Null, with a notice, if it is not allowed there. */
function signFor(of: Brush, target: Target, block: number, drawn: PatternDrawing, text: string): { sign: string; text: string } | null {
  if (of.kind === "any") {
    if (target.kind === "expect" && block < 0) return refuse("A map has a tile in every cell: any cannot stand there.")
    return { sign: "?", text }
  }
  if (of.kind === "tile") {
    const sign = usualSign(of.name)
    if (sign) return { sign, text }
    return drawn.form === "line" ? { sign: `{${of.name}}`, text } : refuse(`The sign of ${of.name} has a meaning of its own, so it cannot be drawn. Name a set of it.`)
  }
  const set = sets.peek().find((one) => one.name === of.name)
  if (target.kind === "expect" || (block >= 0 && set?.of.length !== 1)) return refuse(`${of.name} stands for several tiles, and here one is written.`)
  if ([...of.name].length === 1) return { sign: of.name, text }
  if (drawn.form === "line") return { sign: `{${of.name}}`, text }
  // A long name cannot be drawn: it gets a letter, once.
  const there = outlineOf(text).sets.find((one) => [...one.name].length === 1 && one.text === of.name)
  if (there) return { sign: there.name, text }
  const letter = freeLetter()
  return { sign: letter, text: withSet(outlineOf(text), letter, [of.name]) }
}

function refuse(sentence: string): null {
  say(sentence)
  return null
}

/** Paints cells of a block with a brush. All of one `stroke` is undone at once. */
export function paint(target: Target, block: number, cells: readonly [number, number][], of: Brush, stroke: string): void {
  const now = outline.peek()
  const drawn = drawingAt(target, now)
  if (!drawn) return
  const found = signFor(of, target, block, drawn, now.text)
  if (!found) return
  const next = found.text === now.text ? now : outlineOf(found.text)
  // A new line for a letter may have moved the drawing down.
  const moved = next === now ? drawn : drawingAt(target.kind === "expect" ? { kind: "expect", line: target.line + next.lines.length - now.lines.length } : target, next)
  if (!moved) return
  const strokes: Stroke[] = cells.map(([x, y]) => ({ block, x, y, sign: found.sign }))
  edit(withCellsPainted(next, moved, strokes), { of: stroke })
}

/** The brush that a sign stands for; null if it means nothing. */
export function brushFor(sign: string): Brush | null {
  if (sign === "?") return { kind: "any" }
  const set = sets.peek().find((one) => one.name === sign)
  if (set) return { kind: "set", name: sign }
  const tile = tileOf(sign)
  return tile ? { kind: "tile", name: tile.name } : null
}

export function pickFrom(sign: string): void {
  const look = lookOf(sign)
  const found = look.kind === "set" ? ({ kind: "set", name: look.name } as const) : brushFor(look.sign)
  if (found) brush.value = found
}

/** The tiles of the palette in the order of their keys. */
export const brushesByKey = (): Brush[] => tiles.value.map((tile) => ({ kind: "tile", name: tile.name }))

export const sameBrush = (a: Brush, b: Brush): boolean => a.kind === b.kind && (a.kind === "any" || (b.kind !== "any" && a.name === b.name))

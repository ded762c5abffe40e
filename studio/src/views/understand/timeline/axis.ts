/**
 * Where turns lie along the timeline.
 *
 * Every step of the recipe has its room, be it one turn or none, so the axis is drawn in pieces: within a step all turns are equally wide, but a step
 * with few turns is wider than its share. Places are counted in units, of which a long step has one for each turn.
 */
import type { Act } from "./acts"

/** The least share of the whole that a step gets, with turns and without. */
const MIN_STEP_SHARE = 0.055
const SILENT_STEP_SHARE = 0.036

interface Piece {
  act: Act
  from: number
  to: number
}

export class Axis {
  readonly pieces: Piece[] = []
  readonly units: number
  private readonly last: number

  constructor(acts: readonly Act[], turns: number) {
    this.last = turns - 1
    const many = Math.max(1, acts.length)
    const all = Math.max(1, turns - 1)
    const least = Math.min(MIN_STEP_SHARE, 0.6 / many) * all
    const silent = Math.min(SILENT_STEP_SHARE, 0.4 / many) * all
    let at = 0
    for (const act of acts) {
      const count = act.last - act.first + 1
      const wide = count > 0 ? Math.max(count, least) : silent
      this.pieces.push({ act, from: at, to: at + wide })
      at += wide
    }
    this.units = Math.max(at, 1e-6)
  }

  private pieceIndex(turn: number): number {
    let low = 0
    let high = this.pieces.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.pieces[middle] as Piece).act.last >= turn) high = middle
      else low = middle + 1
    }
    return low
  }

  /** From where to where a turn reaches. */
  span(turn: number): [number, number] {
    const piece = this.pieces[this.pieceIndex(turn)]
    if (!piece || turn < 1) return [0, 0]
    const each = (piece.to - piece.from) / Math.max(1, piece.act.last - piece.act.first + 1)
    const from = piece.from + (turn - piece.act.first) * each
    return [from, from + each]
  }

  /** Where the playhead stands after a turn: behind steps that wrote nothing, since they are done too. */
  at(turn: number): number {
    if (turn < 1) return this.leadingEnd()
    const index = this.pieceIndex(turn)
    const piece = this.pieces[index]
    if (!piece) return 0
    if (turn < piece.act.last) return this.span(turn)[1]
    let end = piece.to
    for (let k = index + 1; k < this.pieces.length && isSilent(this.pieces[k]); k++) end = (this.pieces[k] as Piece).to
    return end
  }

  /** Steps that wrote nothing before the first turn. */
  private leadingEnd(): number {
    let end = 0
    for (const piece of this.pieces) {
      if (!isSilent(piece)) break
      end = piece.to
    }
    return this.last === 0 ? end : Math.min(end, this.units)
  }

  /** The turn whose end is nearest to a place. */
  turn(unit: number): number {
    const index = this.pieces.findIndex((piece) => unit < piece.to)
    const piece = this.pieces[index < 0 ? this.pieces.length - 1 : index]
    if (!piece) return 0
    if (index < 0) return this.last
    if (isSilent(piece)) return piece.act.last
    const each = (piece.to - piece.from) / (piece.act.last - piece.act.first + 1)
    return Math.max(0, Math.min(this.last, piece.act.first - 1 + Math.round((unit - piece.from) / each)))
  }

  /** The turn that lies at a place, not the nearest end: what a pointer is over. */
  turnOver(unit: number): number {
    const piece = this.pieces.find((one) => unit >= one.from && unit < one.to)
    if (!piece || isSilent(piece)) return piece?.act.last ?? this.last
    const each = (piece.to - piece.from) / (piece.act.last - piece.act.first + 1)
    return Math.min(piece.act.last, piece.act.first + Math.floor((unit - piece.from) / each))
  }

  /** Units of one turn in the step of a turn. */
  unitsPerTurn(turn: number): number {
    const [from, to] = this.span(turn)
    return to - from
  }
}

const isSilent = (piece: Piece | undefined): boolean => piece !== undefined && piece.act.last < piece.act.first

/** Which part of the axis is in sight, and where it lies on the screen. */
export interface TimeWindow {
  from: number
  to: number
}

/** The least window: a dozen units, so that single rewrites can be told apart. */
const MIN_WINDOW_UNITS = 12

export function zoomed(window: TimeWindow, units: number, by: number, about: number): TimeWindow {
  const wide = Math.max(Math.min(MIN_WINDOW_UNITS, units), Math.min(units, (window.to - window.from) / by))
  const share = (about - window.from) / Math.max(1e-9, window.to - window.from)
  return clamped({ from: about - wide * share, to: about + wide * (1 - share) }, units)
}

export function clamped(window: TimeWindow, units: number): TimeWindow {
  const wide = Math.min(units, window.to - window.from)
  const from = Math.max(0, Math.min(units - wide, window.from))
  return { from, to: from + wide }
}

/** 1, 2 or 5 times a power of ten, not less than `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  for (const by of [1, 2, 5, 10]) if (by * power >= least) return by * power
  return 10 * power
}

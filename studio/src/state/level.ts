/**
 * The current level, requested whenever the source changes.
 *
 * While a level is being made, a newer change waits for it up to `PATIENCE_MILLISECONDS` and then stops it: so a slider that is dragged shows levels all the way.
 */
import { computed, effect, signal, untracked } from "@preact/signals"
import type { LevelHead, Problem, Source } from "../server/protocol"
import type { Blocks, Numbers } from "../server/message"
import { ask, cancel, connection, type Progress } from "../server/connection"
import { card, source } from "./work"
import { dependOn } from "./depend_on"

export interface Level {
  head: LevelHead
  width: number
  height: number
  /** A tile's number for each cell, row by row; what it means stands in `head.palette`. */
  tiles: Uint8Array
  /** The region's id for each cell, 0 for none. */
  labels: Numbers
  /** Cells from start to end. */
  path: Numbers
  source: Source
  /** The source with its attempt, to request pictures and timelines of exactly this level. */
  exact: Source
  /** Why it is not as required, if it is only the nearest. */
  unmet: Problem | null
  /** Counts up: every level has another number. */
  number: number
}

export interface Making {
  began: number
  step: Progress | null
  size: [number, number]
}

const PATIENCE_MILLISECONDS = 250
/** Under this nothing is shown: the level just changes. */
export const UNNOTICED_MILLISECONDS = 150

export const level = signal<Level | null>(null)
export const making = signal<Making | null>(null)
/** Set when making has taken longer than `UNNOTICED_MILLISECONDS`. */
export const slow = signal(false)
/** Why the last request gave no level. The old level stays. */
export const failure = signal<Problem | null>(null)
/** Making was stopped by hand. */
export const stopped = signal(false)
/** Measures to request with each level, or all. */
export const wantedMeasures = signal<string[] | "all">(["density", "doors", "choke_points", "linearity"])

let number = 0
let waiting: ReturnType<typeof setTimeout> | undefined
let underWay: { began: number } | null = null

const required = computed(() => JSON.stringify(wantedMeasures.value))

/** Paths come as x, y, x, y ...; here they are numbers of cells. */
export function cellsOfPairs(pairs: Numbers | undefined, width: number): Int32Array {
  const cells = new Int32Array((pairs?.length ?? 0) >> 1)
  for (let k = 0; k < cells.length; k++) cells[k] = (pairs?.[2 * k + 1] ?? 0) * width + (pairs?.[2 * k] ?? 0)
  return cells
}

export function readLevel(head: LevelHead, blocks: Blocks, from: Source, unmet: Problem | null = null): Level {
  const [width, height] = head.size
  return {
    head,
    width,
    height,
    tiles: (blocks.tiles ?? new Uint8Array(width * height)) as Uint8Array,
    labels: blocks.labels ?? new Uint16Array(width * height),
    path: cellsOfPairs(blocks.path, width),
    source: from,
    exact: { ...from, attempt: head.attempt },
    unmet,
    number: ++number,
  }
}

effect(() => {
  const from = source.value
  dependOn(required.value)
  if (!from || connection.value.kind !== "open") return
  untracked(() => requestLevel(from))
})

function requestLevel(from: Source): void {
  clearTimeout(waiting)
  if (underWay && Date.now() - underWay.began < PATIENCE_MILLISECONDS) {
    waiting = setTimeout(() => requestLevel(source.peek() ?? from), PATIENCE_MILLISECONDS - (Date.now() - underWay.began))
    next = true
    return
  }
  void makeLevel(from)
}
let next = false
/** A source that is newer than the one being made: it may have come while that was awaited. */
const isNewerWanted = (): boolean => next

async function makeLevel(from: Source): Promise<void> {
  const mine = { began: Date.now() }
  underWay = mine
  next = false
  stopped.value = false
  making.value = { began: mine.began, step: null, size: from.size ?? card.peek()?.size ?? [60, 40] }
  const noticed = setTimeout(() => (slow.value = true), UNNOTICED_MILLISECONDS)
  const reply = await ask<LevelHead>(
    "level",
    { do: "make", measures: wantedMeasures.peek(), ...from },
    { progress: (step) => underWay === mine && making.value && (making.value = { ...making.value, step }) },
  )
  clearTimeout(noticed)
  if (underWay !== mine) return
  underWay = null
  slow.value = false
  making.value = null
  if (reply.kind === "done") {
    failure.value = null
    level.value = readLevel(reply.head, reply.blocks, from)
  } else if (reply.kind === "problem") {
    // If a requirement is not met there is still a nearest level to show; else the old level stays, with the problem over it.
    failure.value = reply.nearest ? null : reply.problem
    if (reply.nearest) level.value = readLevel(reply.nearest, reply.blocks, from, reply.problem)
  }
  if (isNewerWanted()) {
    clearTimeout(waiting)
    const latest = source.peek()
    if (latest) void makeLevel(latest)
  }
}

/** Stop making: the old level stays. */
export function stopMaking(): void {
  if (!making.peek()) return
  clearTimeout(waiting)
  next = false
  underWay = null
  cancel("level")
  making.value = null
  slow.value = false
  stopped.value = true
}

/** Makes the current level again. */
export function makeAgain(): void {
  const from = source.peek()
  if (from) requestLevel(from)
}

/** The name of the tile in a cell, its region and so on, as screen readers announce it. */
export function describeCell(at: Level, cell: number): string {
  const x = cell % at.width
  const y = Math.floor(cell / at.width)
  const tile = at.head.palette[at.tiles[cell] ?? 0]
  const room = at.head.rooms.find((one) => one.id === at.labels[cell])
  const things = at.head.things.filter((thing) => thing.at[0] === x && thing.at[1] === y).map((thing) => thing.name || thing.kind)
  return [`(${x}, ${y})`, tile?.name ?? "nothing", ...(room ? [room.name ? `${room.name}, room ${room.number}` : `${room.kind || "room"} ${room.number}`] : []), ...things].join(", ")
}

/**
 * The same layout at many sizes. Only visible sizes are requested, and those that are still valid are not requested again.
 *
 * During a stroke one request is under way at a time, and the newest drawing is requested next, so that the sheet follows the stroke.
 */
import { batch, computed, effect, signal, untracked } from "@preact/signals"
import type { LayoutSize } from "../../../../server/protocol"
import type { Blocks } from "../../../../server/message"
import { ask, connection } from "../../../../server/connection"
import { oneOf, recall, remember } from "../../../../state/storage"
import { toData, type Doc } from "../model"
import { doc, reading } from "../state"
import { dependOn } from "../../../../state/depend_on"
import { type Size, sizeKey } from "./size_words"

export const MAX_SIZE = 4096

export const leniency = signal<Size>(recall<Size>("layout leniency", [0, 0]))
export const overgrow = signal(recall("layout overgrow", false))
export const shows = signal<"partitions" | "tiles">(recall<"partitions" | "tiles">("layout shows", "partitions", oneOf("partitions", "tiles")))
effect(() => {
  remember("layout leniency", leniency.value)
  remember("layout overgrow", overgrow.value)
  remember("layout shows", shows.value)
})

/** The first size in sight, and how many widths and heights are. */
export const first = signal<Size>([1, 1])
export const span = signal<Size>([6, 6])
/** The size under the pointer or with the focus: its room is laid over the drawing. */
export const ghosted = signal<Size | null>(null)

export interface MadeSize {
  head: LayoutSize
  tiles: Uint8Array
  owner: Uint8Array
  wrong: Uint8Array | null
  /** The order of partitions when it was made, so that colours go with it. */
  parts: readonly number[]
  /** What it was made of. */
  stamp: number
}

export const madeSizes = signal<ReadonlyMap<string, MadeSize>>(new Map())
/** Why no size could be made: the drawing is empty, or contradicts itself. */
export const trouble = signal("")

export const inSight = computed<Size[]>(() => {
  const [width, height] = first.value
  return Array.from({ length: span.value[1] }, (_, row) => Array.from({ length: span.value[0] }, (_, column): Size => [width + column, height + row])).flat()
})

/** Moves what is in sight, by so many widths and heights. */
export function pan(across: number, down: number): void {
  const clamp = (at: number): number => Math.max(1, Math.min(MAX_SIZE, at))
  first.value = [clamp(first.peek()[0] + across), clamp(first.peek()[1] + down)]
}

/** Brings a size into sight. */
export function reveal(size: Size): void {
  const to = ([0, 1] as const).map((axis) => {
    const [low, many] = [first.peek()[axis], span.peek()[axis]]
    return size[axis] < low ? size[axis] : size[axis] >= low + many ? size[axis] - many + 1 : low
  }) as Size
  if (to[0] !== first.peek()[0] || to[1] !== first.peek()[1]) first.value = to
}

/** Back to the smallest room. */
export function showSmallest(): void {
  const size = reading.peek()?.size
  if (size) first.value = size
}

// The sheet begins with the smallest room, and follows it until the sheet is scrolled.
let smallest: Size | null = null
effect(() => {
  const now = reading.value?.size
  if (!now) return
  const [width, height] = untracked(() => first.value)
  if (!smallest || (smallest[0] === width && smallest[1] === height)) first.value = now
  smallest = now
})
/** Another layout: begin anew. */
export function forgetSizes(): void {
  smallest = null
  madeSizes.value = new Map()
  ghosted.value = null
}

/* ---- asking ---- */

interface Request {
  doc: Doc
  text: string
  stamp: number
}
let request: Request | null = null
let stamps = 0
let busy = false

/** The drawing to request, with a new stamp whenever other rooms may result. */
const stamp = computed<Request | null>(() => {
  const now = doc.value
  dependOn(leniency.value, overgrow.value)
  if (!now || now.cells.size === 0) return null
  return { doc: now, text: JSON.stringify(toData(now)), stamp: ++stamps }
})

effect(() => {
  request = stamp.value
  dependOn(inSight.value, ghosted.value, reading.value?.next)
  if (connection.value.kind !== "open") return
  untracked(() => {
    if (!request) {
      madeSizes.value = new Map()
      trouble.value = doc.value ? "Draw something, and its sizes appear here." : ""
    } else if (!busy) void askForMissing()
  })
})

/** Sizes that are wanted and not there, those in sight first. */
function missingSizes(now: Request): Size[] {
  const next = reading.peek()?.next
  const wanted = [...inSight.peek(), ...(ghosted.peek() ? [ghosted.peek() as Size] : []), ...(next ? [next] : [])]
  const names = new Set<string>()
  return wanted.filter((size) => {
    const name = sizeKey(size)
    const there = madeSizes.peek().get(name)?.stamp === now.stamp || names.has(name)
    names.add(name)
    return !there
  })
}

async function askForMissing(): Promise<void> {
  busy = true
  for (let now = request; now; now = request) {
    const sizes = missingSizes(now)
    if (sizes.length === 0) break
    const found = new Map<string, MadeSize>()
    const parts = now.doc.parts.map((part) => part.id)
    const asked = now
    const reply = await ask<unknown, LayoutSize>(
      "sizes",
      { do: "sizes", text: asked.text, file: "drawing.json", sizes, leniency: leniency.peek(), overgrow: overgrow.peek() },
      { part: (head, blocks) => void found.set(sizeKey(head.size), readSize(head, blocks, parts, asked.stamp)) },
    )
    batch(() => {
      if (found.size) madeSizes.value = withoutOldest(new Map([...madeSizes.peek(), ...found]))
      trouble.value = reply.kind === "problem" ? reply.problem.problem : ""
    })
    if (reply.kind !== "done" && request === asked) break
  }
  busy = false
}

/** Drops the oldest sizes beyond 600. */
function withoutOldest(all: Map<string, MadeSize>): Map<string, MadeSize> {
  for (const name of all.keys()) {
    if (all.size <= 600) break
    all.delete(name)
  }
  return all
}

function readSize(head: LayoutSize, blocks: Blocks, parts: readonly number[], of: number): MadeSize {
  const none = new Uint8Array(0)
  return { head, tiles: (blocks.tiles ?? none) as Uint8Array, owner: (blocks.owner ?? none) as Uint8Array, wrong: (blocks.wrong ?? null) as Uint8Array | null, parts, stamp: of }
}

/* ---- in words ---- */

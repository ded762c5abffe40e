/** What a sign in a drawing stands for, and how it looks: a tile, any tile, or a set in stripes of its tiles. */
import { computed } from "@preact/signals"
import type { TileInfo } from "../../../../server/protocol"
import { STANDARD_TILES } from "../../../../canvas/standard_tiles"
import { goodReading } from "../reading"
import { unquoted } from "../text/lines"
import { outline } from "../state"
import { dependOn } from "../../../../state/depend_on"

export interface Look {
  kind: "tile" | "any" | "set" | "unknown"
  name: string
  /** What is written in the cell. */
  sign: string
  fill: string | null
  ink: string | null
  /** Of a set: its tiles. */
  of: TileInfo[]
}

const DARK = "#14161f"
const PALE = "#f2f3f8"

function readableInk(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number]
  return red * 0.3 + green * 0.6 + blue * 0.1 > 120 ? DARK : PALE
}

export const tiles = computed<TileInfo[]>(() => goodReading.value?.head.tiles ?? STANDARD_TILES)
/** The usual sign of each tile; "" if none can be drawn. */
export const signs = computed<string[]>(() => goodReading.value?.head.signs ?? Array.from("X#.,+'LS~:o<>"))
export const usualSign = (name: string): string => {
  const at = tiles.value.findIndex((tile) => tile.name === name)
  return [...(signs.value[at] ?? "")][0] ?? ""
}

const tileBySign = computed(() => {
  const found = new Map<string, TileInfo>()
  tiles.value.forEach((tile, at) => {
    for (const sign of signs.value[at] ?? "") found.set(sign, tile)
  })
  return found
})
export const tileOf = (sign: string): TileInfo | undefined => tileBySign.value.get(sign)

/** Sets that the text names, with their tiles as the server read them. */
export const sets = computed(() =>
  outline.value.sets.map((set) => ({ ...set, of: (goodReading.value?.head.sets.find((one) => one.name === set.name)?.of ?? []).flatMap((name) => tiles.value.find((tile) => tile.name === name) ?? []) })),
)

export function tileLook(tile: TileInfo, sign = usualSign(tile.name) || tile.glyph): Look {
  const empty = tile.role === "void"
  return { kind: "tile", name: tile.name, sign, fill: empty ? null : tile.colour, ink: empty ? null : readableInk(tile.colour), of: [tile] }
}

const looks = computed(() => {
  dependOn(tileBySign.value, sets.value)
  return new Map<string, Look>()
})

export function lookOf(text: string): Look {
  const known = looks.value
  let found = known.get(text)
  if (!found) known.set(text, (found = lookFor(text)))
  return found
}

function lookFor(text: string): Look {
  if (text === "?") return { kind: "any", name: "any", sign: "?", fill: null, ink: null, of: [] }
  const inner = text.startsWith("{") ? text.slice(1, -1).trim() : text
  const set = sets.value.find((one) => one.name === inner)
  if (set) return setLook(set.name, set.of)
  const tile = text.startsWith("{") ? tiles.value.find((one) => one.name === unquoted(inner)) ?? tileOf(inner) : tileOf(text)
  if (tile) return tileLook(tile, text.startsWith("{") ? usualSign(tile.name) : text)
  // A letter that the server gave to a set without a name, or words in braces.
  const given = goodReading.value?.head.sets.find((one) => one.name === text)
  if (given) return setLook(text, tiles.value.filter((one) => given.of.includes(one.name)))
  if (text.startsWith("{")) return { ...setLook("…", tilesNamedIn(inner)), name: inner }
  return { kind: "unknown", name: `unknown ${text}`, sign: text, fill: null, ink: null, of: [] }
}

/** The tiles that words in braces name, as far as that is plain. */
function tilesNamedIn(inner: string): TileInfo[] {
  const not = inner.startsWith("not ")
  const items = (not ? inner.slice(4) : inner).split(/ or /).map((item) => item.trim())
  const hit = (tile: TileInfo): boolean => items.some((item) => unquoted(item) === tile.name || tileOf(item) === tile || (sets.value.find((set) => set.name === item)?.of.includes(tile) ?? false))
  return tiles.value.filter((tile) => hit(tile) !== not)
}

/** Slanting stripes of up to four of a set's tiles: it reads as several at once. */
function setLook(name: string, of: TileInfo[]): Look {
  const shown = of.slice(0, 4).map((tile) => (tile.role === "void" ? "var(--bg2)" : tile.colour))
  const step = 100 / Math.max(1, shown.length)
  const fill = shown.length ? `linear-gradient(135deg, ${shown.map((colour, at) => `${colour} ${at * step}% ${(at + 1) * step}%`).join(", ")})` : null
  return { kind: "set", name, sign: [...name].length > 2 ? "…" : name, fill, ink: null, of }
}

/** As a sentence names it: "door", "any tile", "wall or void". */
export function lookName(look: Look): string {
  if (look.kind === "any") return "any tile"
  if (look.kind === "set") return look.of.length > 4 ? `one of ${look.of.length} tiles` : look.of.map((tile) => tile.name).join(" or ") || look.name
  return look.name
}

/** What can be exported: every format of the server's table, and the animation of the making, which is no format of its own. */
import { computed } from "@preact/signals"
import type { FormatCard } from "../../server/protocol"
import { greeting } from "../../server/connection"

export const ANIMATION = "animation"

export const cards = computed<FormatCard[]>(() => {
  const hello = greeting.value
  if (!hello) return []
  const animation: FormatCard = {
    name: ANIMATION,
    title: "Animation of the making",
    about: "how the level came to be, step by step",
    group: "pictures",
    suffixes: hello.animations.map((kind) => "." + kind),
    reads: false,
    writes: true,
    keeps: [],
    loses: [],
    tested: "",
    options: ["frames"],
  }
  const place = (card: FormatCard): number => (FORMAT_ORDER.includes(card.name) ? FORMAT_ORDER.indexOf(card.name) : FORMAT_ORDER.length)
  return [...hello.formats.filter((card) => card.writes), animation].sort((a, b) => place(a) - place(b))
})

/** The most used formats first; those that are not named here come last. */
const FORMAT_ORDER = [
  ...["godot", "tmx", "tmj", "ldtk", "glb", "vox", "xp", "godot:rooms"],
  ...["uvtt", "foundry", "png:gm", "png:player", "pdf", "pdf:page", "pdf:player"],
  ...["png", "svg", ANIMATION, "png:graph", "png:tiles"],
  ...["json", "csv", "npz", "graphml", "dot", "text", "text:box"],
]

export const cardOf = (name: string): FormatCard | undefined => cards.value.find((card) => card.name === name)

export const COLUMNS: { title: string; group: FormatCard["group"] }[][] = [
  [
    { title: "Game engines and editors", group: "engines" },
    { title: "Tabletops", group: "tabletops" },
  ],
  [
    { title: "Pictures", group: "pictures" },
    { title: "Data", group: "data" },
  ],
]

/** Files that open everywhere: whether they were tested in a program need not be said. */
const COMMON_SUFFIXES = [".png", ".pdf", ".txt", ".gif", ".svg"]

/** The line under a format's name. `warn`: it was never opened in the program it is for. */
export function underline(card: FormatCard): { text: string; warn: boolean } {
  if (card.tested) return { text: `Tested with ${card.tested}`, warn: false }
  const own = (card.group === "engines" || card.group === "tabletops") && !COMMON_SUFFIXES.includes(card.suffixes[0] ?? "")
  return own ? { text: "Structure checked, not yet opened in another program", warn: true } : { text: card.about.charAt(0).toUpperCase() + card.about.slice(1), warn: false }
}

/** A format that belongs to a suffix by itself needs no name on the command line; a kind of it does. */
export const needsName = (card: FormatCard): boolean => card.name.includes(":")

/** What of a level a file may hold, in words. */
export const PARTS: Record<string, string> = {
  tiles: "Tiles",
  palette: "Palette",
  regions: "Rooms",
  names: "Names",
  doors: "Doors",
  links: "Ways between rooms",
  things: "Things",
  ends: "Start and end",
  path: "Path from start to end",
  layers: "Further layers",
  origin: "Seed, recipe, version",
}
/** The server says what is lost in words of its own. */
export const PARTS_BY_SERVER_WORDS: Record<string, string> = { "how it was made": "origin", "further layers": "layers", "start and end": "ends", "the palette": "palette" }

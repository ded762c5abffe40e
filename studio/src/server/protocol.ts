/**
 * The messages between the page and the server. They are defined here and nowhere else in the page.
 *
 * HTTP, all with the header `X-Undercroft-Token`, bodies JSON:
 *   GET  /api/hello            -> Hello
 *   POST /api/files/list       {}                              -> FileRow[]
 *   POST /api/files/read       {path}                          -> FileText
 *   POST /api/files/save       {path, text, seen, kind?}       -> FileText   (409 with Problem if the file on disk is no longer the one that was `seen`; 400 if no file of the `kind` ends so)
 *   POST /api/files/rename     {path, to}                      -> {path}     (409 if there is a file of that name; all pages get "renamed")
 *   POST /api/files/delete     {path}                          -> DeletedFile  (it is in the trash of the project; all pages get "deleted")
 *   POST /api/files/uses       {path}                          -> FileUse[]  (the files that name this one)
 *   POST /api/files/trash      {}                              -> DeletedFile[], the newest first
 *   POST /api/files/restore    {id, to?}                       -> {path}     (409 if there is a file of that name; all pages get "changed")
 *   POST /api/export           Source & {outputs: Output[], into: "download" | "project", over?: Digests}  -> the file itself, a .zip of several, or Exported[]
 *   POST /api/import           {name, data (base64), read_as?} -> Imported
 *   POST /api/watch            Source & {outputs: Output[], over?: Digests} | {stop: true}  -> Exported[]; the files are written again whenever `source` of the lane "level" changes
 *   POST /api/layout           {data, file?, text?}            -> {text}      (of a layout that the editor holds as data; comments and signs of the `text` before stay)
 *   POST /api/state/load       {}                              -> {project, values: KeptValues, notes}   (what is kept between visits; notes are sentences for the user)
 *   POST /api/state/store      {changes: KeptValues, tab}      -> {refused, notes}                       (names that could not be kept, and why)
 *   POST /api/save             Source & {path, over?: Digests} -> Exported    (the level with its edits, as JSON)
 *
 * Files that would be overwritten although another program changed them, or put them there, are a Problem with status 409. Its `changed` is sent back as `over` if the
 * user wants it.
 *
 * WebSocket /api/live: the first message is {token}. Then Ask in, Answer or binary out. Closed with 4401 if the token is wrong.
 * A binary message is: uint32 (little endian) length of the head, the head as JSON (an Answer with `parts`), padding to 8 bytes, then the parts.
 * An Ask with the same `lane` as one under way cancels that one. {cancel: lane} cancels without a new one. Cancelled asks answer {id, kind: "cancelled"}.
 */

/** Which level is meant. The same source is the same level, to the byte, as in the command line. */
export interface Source {
  /** A named recipe, a file of the project, or text that is being edited (with the file it belongs to, for errors and for files beside it), or something imported. */
  recipe: Origin
  seed: string
  size: [number, number] | null
  params: Record<string, Value>
  until: string[]
  tries: number
  /** A single attempt, to come back to one. */
  attempt?: number
  /** Cells to keep: they stay as they are in the level that `keep.of` makes, or on a map, which is an `undercroft-level`. Runs of cells [first, length] in row-major order. */
  keep?: { of: Source; cells: [number, number][] } | { map: unknown; cells: [number, number][] }
  /** Tiles painted by hand, in order, after all steps: [cell, tile name]. */
  edits?: [number, string][]
  /** Things placed by hand, after the painted tiles; and things of the level that were taken away. One that was moved or changed is removed and placed. */
  placed?: PlacedThing[]
  removed?: ThingRef[]
}

export interface ThingRef { kind: string; x: number; y: number }
export interface PlacedThing extends ThingRef { data?: Record<string, unknown> }

/**
 * A file of the project, or a text, may also be rules (.rules: they are applied to a blank map of `size`), and a file may be a level (.json, .tmx ...: it is shown as it is).
 * `map` is a level itself, as `undercroft-level`, in a work that was opened. `imported` is what POST /api/import answered with as `source`; the server remembers the last eight.
 */
export type Origin = { name: string } | { path: string } | { text: string; file: string } | { imported: string; file: string } | { map: unknown; file: string }

export type Value = number | string | boolean | (number | string)[]

export interface Problem {
  problem: string
  fix: string
  place: Place | null
  /** If the fix can be done by a machine: replace this text of that line. */
  change?: { line: number; column: number; length: number; text: string; label: string } | null
  /** Files that would be overwritten. */
  changed?: Digests
  /** Whether it depends on the seed: another one may go better. */
  chance?: boolean
}

/** What files hold now, by their names. */
export type Digests = Record<string, string>

/** Lines and columns count from 1. */
export interface Place { file: string; line: number; column: number }

/** A value that is kept between visits, with the time in milliseconds since 1970 at which it was changed. Null removes it. */
export interface KeptValue { at: number; value: unknown }
export type KeptValues = Record<string, KeptValue>

export interface Hello {
  version: string
  project: string
  /** The command that starts this studio again. */
  restart: string
  compiled: boolean
  recipes: RecipeCard[]
  steps: { name: string; about: string; params: Param[] }[]
  measures: { name: string; about: string; unit: string; whole: boolean }[]
  formats: FormatCard[]
  /** `parts` is what a style can show on the map, `shown` what of it is shown by default; `beside` what it can show beside the map of an exported picture, and whether it does. */
  styles: { name: string; about: string; parts: string[]; shown: string[]; beside: Record<string, boolean> }[]
  animations: string[]
  /** The kinds of files that are saved; a name without a suffix gets the first one. */
  kinds: { name: FileKind; title: string; suffixes: string[] }[]
  /** The suffixes of all files that the studio knows. */
  suffixes: string[]
  limits: { cells: number; seconds: number; upload: number; request: number }
}

export interface RecipeCard {
  name: string
  about: string
  tags: string[]
  size: [number, number]
  text: string
  params: Param[]
  /** "ours", or "mine" for the recipes in the project's folder; then `path` says where. */
  origin: "ours" | "mine"
  path?: string
  problem?: Problem
}

export interface Param {
  name: string
  about: string
  default: Value
  kind: "whole" | "number" | "switch" | "choice" | "text" | "list"
  low?: number
  high?: number
  /** Of a list: the words that it may hold. */
  choices?: Value[]
  /** What it is chosen from: as `of` of the request "choices". */
  picks?: string
  /** Where its default stands in the recipe's text, so that a slider can change the number and nothing else. */
  place?: { line: number; column: number; length: number }
}

export interface FormatCard {
  name: string
  title: string
  about: string
  group: "engines" | "tabletops" | "pictures" | "data"
  suffixes: string[]
  reads: boolean
  writes: boolean
  /** What is kept, and what of a level is lost, in words of the formats table. */
  keeps: string[]
  loses: string[]
  /** The programs it was opened with, from the formats table; empty if none. */
  tested: string
  /** The options it takes: style, cell, show, hide, paper ... */
  options: string[]
}

export type FileKind = "recipe" | "rules" | "layout" | "level" | "work"
export interface FileRow { path: string; kind: FileKind | "other"; bytes: number; changed: number }
export interface FileText { path: string; text: string; /** To be given back when saving. */ seen: string }
/** A file in the trash: `path` is where it was, `deleted` when, in milliseconds since 1970. */
export interface DeletedFile { id: string; path: string; kind: FileRow["kind"]; bytes: number; deleted: number }
/** A file that names another, and the key or word by which it does. */
export interface FileUse { path: string; by: string }
export interface Output { format: string; path: string; options?: Record<string, Value>; animation?: boolean }
export interface Losses { losses: Record<string, string[]>; refused: Record<string, string> }
export interface Exported { path: string; bytes: number; dropped: string[] }
/** `source` is the level as an origin; `origin` is how it was made, if the file has it: recipe, seed, attempt, size, params, edits. */
export interface Imported { level: LevelHead; notes: string[]; source: Origin; origin: Record<string, unknown> }

/* ---- over the socket ---- */

export type Ask = { id: number; lane: string } & (
  /** A level, with everything that the map and the numbers beside it show. -> LevelHead with parts tiles, labels, path. */
  | ({ do: "make"; measures: string[] | "all" } & Source)
  /** The picture of a level in a style, without margins: cell (x, y) lies at origin + cell * (x, y). -> PictureHead with part png. */
  | ({ do: "picture"; style: string; cell: number; show: string[]; hide: string[] } & Source)
  /** Everything that was ever written. -> TimelineHead with parts who, ends, cells, old, new, first, things (the turn that placed each thing of the level); if it is thinned also numbers, the turns that are included. */
  | ({ do: "timeline" } & Source)
  /** Small levels, one after the other. -> one {kind: "part"} of ThumbHead with part tiles, path for each seed, then {kind: "done"}. */
  | ({ do: "wall"; seeds: string[]; measures: string[] } & Omit<Source, "seed">)
  /** Only numbers, of many seeds. -> {kind: "part"} of RangePart now and then, then {kind: "done"}. */
  | ({ do: "range"; first: string; count: number; measures: string[] } & Omit<Source, "seed">)
  /** Choke points, solution and distances of a level. -> OverlayHead; parts distance (int32 per cell, -1 where it cannot be reached) from `from` or the start. */
  | ({ do: "overlay"; what: ("choke" | "solution" | "distance")[]; from?: [number, number] } & Source)
  /** What stands in a cell, and the kinds of things that can be placed; without a cell only these. -> Inspected. */
  | ({ do: "inspect"; at?: [number, number] } & Source)
  /** What each format would leave out of the level, by its name; and why some cannot hold it at all. -> Losses. */
  | ({ do: "losses" } & Source)
  /** Is this text a recipe? -> RecipeRead. */
  | { do: "recipe"; text: string; file: string }
  /** Is this a work, in a file of the project or as a text? -> {work: its data, checked, notes: what is different now}. */
  | { do: "work"; path?: string; text?: string }
  /** The work that gives a level of a file again, as the file records it, by the name of its recipe. -> {work}. */
  | { do: "again"; recipe: Origin }
  /** The maps that a level is made on: the one with its kept cells, and the map itself if it comes from a file. -> {kept: {cells, map}, map}, each null if there is none; a map is an `undercroft-level`, and `cells` are all that stay on it: with those of kept rooms, their doorways and pools. */
  | ({ do: "base_maps" } & Source)
  /** Rules of the step `step` of a recipe, or of a rule file's text, on the map as it was after `turn`. -> RulesSeen. */
  | ({ do: "explain"; step: string; turn: number; rule?: string; at?: [number, number] } & Source)
  /** How often rules fire over some seeds. -> CoverageSeen. */
  | ({ do: "coverage"; seeds: number } & Source)
  /** A rule file's text: every rule drawn, its variants, its expectations, what the linter says, and a run. -> RulesRead, with parts begin and tiles: the map before and after. */
  | { do: "rules"; text: string; file: string; run?: { rule: string; /** Where the rule is drawn: several may have the same name. */ line?: number; seed: string; size: [number, number]; /** The map at the end, or as it was when the rule was used for the last time. */ until?: "end" | "rule"; on?: RunMap }; /** Over how many seeds uses are counted, besides. */ seeds?: number }
  /** A layout's text. -> LayoutRead. */
  | { do: "layout"; text: string; file: string }
  /** Our own layouts. -> LayoutsThere. */
  | { do: "layouts" }
  /** The words that recipes and rules are written in. -> Vocabulary. */
  | { do: "vocabulary" }
  /** What a field is chosen from (see `Param.picks`), for a recipe in that file. -> {choices: Choice[]}. */
  | { do: "choices"; of: string; text: string; file: string }
  /** The smallest changes with which a layout would have a room of that size. -> {ways: Way[]}. */
  | { do: "allow"; text: string; file: string; size: [number, number]; leniency: [number, number]; overgrow: boolean }
  /** The same layout at many sizes. -> {kind: "part"} of LayoutSize, with part tiles (made) or none (refused), then {kind: "done"}. */
  | { do: "sizes"; text: string; file: string; sizes: [number, number][]; leniency: [number, number]; overgrow: boolean }
)

export type Answer =
  | { id: number; kind: "progress"; step: string; index: number; of: number; attempt: number; share: number }
  | { id: number; kind: "cancelled" }
  | ({ id: number; kind: "problem"; /** The nearest level there was, if a requirement was not met; its parts come with it. */ nearest?: LevelHead } & Problem)
  | ({ id: number; kind: "part" | "done"; parts?: Parts } & Record<string, unknown>)
  /** Unrequested: a file of the project changed on disk. */
  | { id: 0; kind: "changed"; path: string }
  /** Unrequested: a page has renamed or deleted a file. */
  | { id: 0; kind: "renamed"; path: string; to: string }
  | { id: 0; kind: "deleted"; path: string }
  /** Unrequested: a watched file was written again. */
  | { id: 0; kind: "written"; path: string; bytes: number }
  /** Unrequested: a tab has stored values. */
  | { id: 0; kind: "state"; tab: string; changes: KeptValues }

/** Name -> where it begins behind the padding, how long it is in bytes, and what its numbers are. */
export type Parts = Record<string, { at: number; bytes: number; type: "u8" | "u16" | "i32" | "u32" | "f64" | "png" }>

export interface TileInfo { name: string; glyph: string; colour: string; walkable: boolean; opaque: boolean; role: string }

export interface LevelHead {
  title: string
  recipe: string
  seed: string
  attempt: number
  size: [number, number]
  palette: TileInfo[]
  start: [number, number] | null
  end: [number, number] | null
  rooms: { id: number; number: number; kind: string; name: string; area: number; at: [number, number]; tags: string[] }[]
  doors: { at: [number, number]; kind: string; between: [number, number] }[]
  links: { a: number; b: number; kind: string }[]
  things: { kind: string; at: [number, number]; name: string }[]
  measures: Record<string, number | null>
  requirements: { text: string; measure: string; met: boolean; value: number | null; why: string; rejected: number }[]
  /** Attempts that failed, all in all; and by cause. */
  rejected: number
  causes: Record<string, number>
  notes: string[]
  /** Kept cells that could not stay, as runs [first, length]. */
  moved: [number, number][]
  milliseconds: number
  steps: { id: string; use: string; about: string }[]
  /** The editions of its steps. */
  editions: Record<string, number>
}

export interface PictureHead { style: string; cell: number; origin: [number, number]; size: [number, number] }

/**
 * Turn k was made by names[who[k]] and changed cells[ends[k-1]..ends[k]] from old to new; `first` is the map after turn 0, and ends[0] is 0. Rules are named "step: rule".
 * In a turn that `sizes` names (after the first entry, which is turn 0) the map is another: the turn writes every cell of the new size, and `old` has no meaning.
 */
export interface TimelineHead {
  turns: number
  size: [number, number]
  sizes: { from: number; size: [number, number] }[]
  names: string[]
  palettes: { from: number; tiles: TileInfo[] }[]
  thinned: boolean
}

export interface ThumbHead { seed: string; attempt: number; size: [number, number]; measures: Record<string, number | null>; start: [number, number] | null; end: [number, number] | null; /** If it is not the standard one of `LevelHead`. */ palette?: TileInfo[]; problem?: string }
export interface RangePart { seeds: string[]; values: Record<string, (number | null)[]>; done: number; of: number }
export interface OverlayHead {
  choke?: { at: [number, number]; cut: number }[]
  /** `keys` is what happens on the way: a key taken, a switch pulled, a lock opened, a one-way door passed; `turn` counts steps walked. */
  solution?: { cells: [number, number][]; keys: { at: [number, number]; opens: string; turn: number; kind: "take" | "pull" | "open" | "pass" }[]; length: number; backtrack: number; unlosable: boolean } | { refused: string }
  /** Where distances are counted from. */
  from?: [number, number] | null
}

/** `room` and the others are there only if the request named a cell. `key` is the room's entry in the printed key, in sentences. `way` is that of a one-way link: out of the room, or in. */
export interface Inspected {
  kinds: string[]
  at?: [number, number]
  room?: { number: number; name: string; kind: string; area: number; tags: string[]; template: string; key: string[] } | null
  door?: { state: string; to: string; between: string[] } | null
  links?: { kind: string; way: "" | "in" | "out"; to: string; at: [number, number] | null }[]
  things?: Required<PlacedThing>[]
}

export interface RecipeRead { card: RecipeCard | null; problems: Problem[]; steps: { id: string; use: string; line: number }[]; requirements: { text: string; line: number }[] }

export interface RuleSeen {
  name: string
  kind: string
  /** Text pictures of the pattern and of the first result, rows of glyphs. */
  pattern: string[]
  results: string[][]
  matches: number
  /** Where it matches now: x, y, and which variant. */
  places: [number, number, number][]
  /** Places that fail in the fewest cells. */
  nearest: { at: [number, number]; variant: number; wrong: { at: [number, number]; /** In the pattern. */ cell: [number, number]; wanted: string; found: string }[]; pattern: string[]; map: string[]; sentence: string }[]
  /** Places that were looked at, and how many of them are off by so many cells: [cells, places]. */
  tried: number
  off: [number, number][]
  fired: number
  why: string[]
  /** Of the pattern as drawn; quarter turns (variant 1, 3, 5, 7) change width and height. */
  size: [number, number]
  /** How it is used, in the words of the language: "one", "20 times", "turned". */
  words: string[]
  /** `why` with its kinds: off, larger, missing, consumed, leaves, also, refused, elsewhere. */
  findings: { kind: string; text: string }[]
  /** The cells of the pattern, as it lies in a variant, that fail first at most places. */
  firsts: { variant: number; cell: [number, number]; places: number }[]
  /** What letters in `nearest.pattern` stand for. */
  letters: Record<string, string>
}
/** `sets` are letters in the drawings that stand for several tiles. */
export interface RulesSeen { rules: RuleSeen[]; sets: { name: string; of: string[] }[] }
export interface CoverageSeen { seeds: number; rules: ({ name: string; fired: number; runs: number } & Refusals)[] }
/** How often guards refused a rule, and which of its guards did. */
export interface Refusals { refused: number; guards: string[] }

export interface RuleDrawn {
  name: string
  /** The node it belongs to; `head_line` is the line of that. */
  node: string
  head_line: number
  kind: string
  /** The lines of its drawing; 0 if it stands in an included file. */
  line: number
  last_line: number
  symmetry: string
  weight: number
  chance: number
  limit: number | null
  pattern: string[]
  results: { rows: string[]; weight: number }[]
  variants: { label: string; pattern: string[]; result: string[] }[]
  variant_note: string
  notes: Note[]
}
/** `kind` is the check of the linter that found it, `picture` what it draws beside it. */
export interface Note { level: "ok" | "warning" | "error"; text: string; line?: number; kind?: string; picture?: string }
/** `after` is the first outcome that is drawn, `outcomes` are all of them, `really` those that come of it (up to eight). */
export interface Expectation { name: string; rule: string; line: number; passed: boolean; expected: string; found: string; before: string[]; after: string[] | null; outcomes: string[][]; really: string[][] }
/** The map of a run: a level, before one of its steps or whole; or a blank one of a tile, with what is drawn on it. */
export interface RunMap { level?: Source; step?: string; fill?: string; edits?: [number, string][] }
/**
 * `run` is the program on a map, with the tiles of both: how often the rule fired, how many places are left for it, and where: x, y, width, height; the map is the one after `turn` of
 * `turns`, and `ends` is false if it was given up. `why` explains a rule that never fired. `notes` are about the program as a whole. `signs` are the signs of each tile that a drawing can show, the usual one first.
 */
export interface RulesRead {
  problems: Problem[]
  tiles: TileInfo[]
  signs: string[]
  sets: { name: string; of: string[] }[]
  rules: RuleDrawn[]
  expectations: Expectation[]
  notes: Note[]
  run?: { fired: number; left: number; limit: number | null; size: [number, number]; tiles: TileInfo[]; why: RuleSeen | null; places: [number, number, number, number][]; turn: number; turns: number; ends: boolean }
  /** Over some seeds: how often each rule and each of its results was used, and in how many runs; in the order of `rules`. */
  coverage?: { seeds: number; rules: ({ fired: number; runs: number; results: number[] } & Refusals)[] } | null
}

export interface LayoutRead {
  problems: Problem[]
  name: string
  size: [number, number]
  /** After one step both ways; null if nothing grows. */
  next: [number, number] | null
  tiles: TileInfo[]
  partitions: { letter: string; name: string; colour: string; cells: [number, number][]; across: Scaling; down: Scaling; lock_ratio: boolean }[]
  /** Cells of what does not scale: under all, and over all. */
  base: [number, number][]
  overlay: [number, number][]
  /** Slots and sockets: in `data`, tiles have the keys slot, socket and becomes. */
  marks: { what: "slot" | "socket"; kind: string; tile: string }[]
  /** Which sizes there are, in words. */
  sizes: string
  /** Some of "across" and "down". */
  flips: string[]
  tags: string[]
  notes: Note[]
  /** The same layout as data that the editor changes and the server writes as text: POST /api/layout {data, file?, text?} -> {text}; null if there are problems. */
  data: unknown
}
/** direction: left, both or right; up, both or down. */
export interface Scaling { locked: boolean; by: "amount" | "multiples"; amount: number; direction: string }
/**
 * Parts of a size that is made: tiles, and owner: the number of the partition of each cell (names in `parts_of`), 254 base, 253 overlay; both 255 where the room has no cell.
 * If something is wrong with the room there is a part `wrong`: 1 in the cells it is wrong in, and `faults` says what. `corner` is where the room's first cell lies in the
 * drawing. `works` and `near` say which sizes near a refused one there are.
 */
export interface LayoutSize {
  size: [number, number]
  made: [number, number] | null
  exact: boolean
  refused?: string
  works?: string
  near?: [number, number][]
  parts_of?: string[]
  faults?: string[]
  corner?: [number, number]
  sockets?: { at: [number, number]; side: "N" | "E" | "S" | "W"; width: number; kind: string }[]
  slots?: { at: [number, number]; kind: string }[]
}
/** `data` is another layout if the way changes that, else null. `made` is the size that would come. */
export interface Way {
  kind: "leniency" | "overgrow" | "amount" | "doubling" | "unlock" | "ratio"
  label: string
  about: string
  made: [number, number]
  data: unknown
  leniency: [number, number]
  overgrow: boolean
}
export interface LayoutsThere { layouts: { name: string; about: string; text: string; tags: string[]; sizes: string; data: unknown }[] }

/** Something to choose: its picture as rows of standard glyphs, or a sample of what it gives in lines. `alone`: it goes with no other. */
export interface Choice { value: string; title: string; about: string; mine: boolean; alone?: boolean; note?: string; rows?: string[]; sample?: string[] }

interface Word { name: string; about: string }
/** Keys of recipes by the table they stand in ("" above all), heads of tables, what each field of each step does, the standard tiles, words that lines of rules begin with, and their options. */
export interface Vocabulary { keys: (Word & { table: string })[]; tables: Word[]; fields: Record<string, Record<string, string>>; tiles: TileInfo[]; lines: Word[]; options: Word[] }

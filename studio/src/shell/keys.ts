/**
 * All keys, in one table. The key map dialog shows it; views register what an entry does while they are shown:
 *
 *   useKeys({ shuffle: () => ..., favourite: () => ... })
 *
 * Single keys are ignored while typing, and can be switched off altogether. The command palette offers every entry that does something now.
 */
import { effect, signal } from "@preact/signals"
import { useContext, useLayoutEffect, useRef } from "preact/hooks"
import { view, type View } from "../state/navigation"
import { recall, remember } from "../state/storage"
import { InDialog } from "../widgets/dialog"

export interface Key {
  label: string
  /** As `pressName` names a key press. The first that fits wins. */
  press: string[]
  /** As the key map shows it; `press` if left out. */
  show?: string[]
  /** Only in these views. */
  in?: View[]
  /** Works while typing too. */
  typing?: boolean
  /** Not in the key map: shown together with another. */
  with?: string
  /** For the palette, if the label in the key map covers several entries. */
  command?: string
}

export const KEYS = {
  shuffle: { label: "Shuffle seed", press: ["Space"] },
  make: { label: "Views", press: ["1"], show: ["1", "2", "3", "4"], command: "Go to Make" },
  understand: { label: "", press: ["2"], with: "make", command: "Go to Understand" },
  explore: { label: "", press: ["3"], with: "make", command: "Go to Explore" },
  author: { label: "", press: ["4"], with: "make", command: "Go to Author" },
  back: { label: "Seed back, forward", press: ["["], show: ["[", "]"], command: "Seed back" },
  on: { label: "", press: ["]"], with: "back", command: "Seed forward" },
  favourite: { label: "Favourite", press: ["F"] },
  fit: { label: "Fit, zoom", press: ["0"], show: ["0", "+", "−"], command: "Fit the map" },
  closer: { label: "", press: ["+", "="], with: "fit", command: "Zoom in" },
  further: { label: "", press: ["-", "_"], with: "fit", command: "Zoom out" },
  export: { label: "Export", press: ["E"] },
  keep: { label: "Keep cells", press: ["L"] },
  link: { label: "Copy link", press: ["Shift+C"], show: ["Shift", "C"] },
  paint: { label: "Paint", press: ["B"] },
  hand: { label: "Hand", press: ["H"] },
  line: { label: "Line, rectangle, fill", press: ["N"], show: ["N", "R", "G"], in: ["make"], command: "Paint a line" },
  rectangle: { label: "", press: ["R"], with: "line", in: ["make"], command: "Paint a rectangle" },
  fill: { label: "", press: ["G"], with: "line", in: ["make"], command: "Fill connected cells" },
  things: { label: "Place and edit things", press: ["T"], in: ["make"] },
  removeThing: { label: "Remove the chosen thing", press: ["Delete"], in: ["make"] },
  useTool: { label: "Inspect the cell, or use the tool there", press: [], show: ["Enter"], in: ["make"] },
  undo: { label: "Undo, redo", press: ["Ctrl+Z"], show: ["Ctrl", "Z", "Y"], command: "Undo" },
  redo: { label: "", press: ["Ctrl+Y", "Ctrl+Shift+Z"], with: "undo", command: "Redo" },
  left: { label: "Pan, move the cell cursor", press: ["ArrowLeft"], show: ["←", "↑", "↓", "→"], command: "Pan left" },
  right: { label: "", press: ["ArrowRight"], with: "left", command: "Pan right" },
  play: { label: "Play, pause", press: ["K"], in: ["understand"] },
  stepback: { label: "Step back, on", press: [","], show: [",", "."], in: ["understand"], command: "One rewrite back" },
  stepon: { label: "", press: ["."], with: "stepback", in: ["understand"], command: "One rewrite on" },
  stageback: { label: "A step of the recipe", press: ["Shift+<", "Shift+,", "<"], show: ["Shift", ",", "."], in: ["understand"], command: "One step back" },
  stageon: { label: "", press: ["Shift+>", "Shift+.", ">"], with: "stageback", in: ["understand"], command: "One step on" },
  laneup: { label: "Rule lane up, down", press: ["ArrowUp"], show: ["↑", "↓"], in: ["understand"], command: "Lane up" },
  lanedown: { label: "", press: ["ArrowDown"], with: "laneup", in: ["understand"], command: "Lane down" },
  up: { label: "", press: ["ArrowUp"], with: "left", command: "Pan up" },
  down: { label: "", press: ["ArrowDown"], with: "left", command: "Pan down" },
  timein: { label: "Nearer in time, further, all", press: ["I"], show: ["I", "O", "A"], in: ["understand"], command: "Zoom in in time" },
  timeout: { label: "", press: ["O"], with: "timein", in: ["understand"], command: "Zoom out in time" },
  timeall: { label: "", press: ["A"], with: "timein", in: ["understand"], command: "All of time" },
  who: { label: "Who wrote this", press: ["W"], in: ["understand"] },
  regions: { label: "Overlays", press: ["R"], show: ["R", "D", "G", "T"], in: ["understand", "explore"], command: "Regions" },
  doors: { label: "", press: ["D"], with: "regions", in: ["understand", "explore"], command: "Doors" },
  graph: { label: "", press: ["G"], with: "regions", in: ["understand", "explore"], command: "Graph" },
  distance: { label: "", press: ["T"], with: "regions", in: ["understand", "explore"], command: "Distance" },
  path: { label: "Path, choke, solution", press: ["P"], show: ["P", "C", "S"], in: ["understand"], command: "Path" },
  choke: { label: "", press: ["C"], with: "path", in: ["understand"], command: "Choke points" },
  solution: { label: "", press: ["S"], with: "path", in: ["understand"], command: "Solution" },
  compare: { label: "Compare", press: ["C"], in: ["explore"] },
  markA: { label: "Mark as A, B", press: ["A"], show: ["A", "B"], in: ["explore"], command: "Mark the seed as A" },
  markB: { label: "", press: ["B"], with: "markA", in: ["explore"], command: "Mark the seed as B" },
  pathToo: { label: "", press: ["P"], with: "regions", in: ["explore"], command: "Path" },
  swap: { label: "Swap A and B", press: ["X"], in: ["explore"] },
  layoutfill: { label: "Fill, erase, pick up", press: ["G"], show: ["G", "X", "I"], in: ["author"], command: "Fill with a tile" },
  layouterase: { label: "", press: ["X"], with: "layoutfill", in: ["author"], command: "Erase" },
  layoutpick: { label: "", press: ["I"], with: "layoutfill", in: ["author"], command: "Pick up a tile" },
  tileback: { label: "Tile before, after", press: [","], show: [",", "."], in: ["author"], command: "Tile before" },
  tileon: { label: "", press: ["."], with: "tileback", in: ["author"], command: "Tile after" },
  partback: { label: "Partition before, after", press: ["["], show: ["[", "]"], in: ["author"], command: "Partition before" },
  parton: { label: "", press: ["]"], with: "partback", in: ["author"], command: "Partition after" },
  partearlier: { label: "Paint it earlier, later", press: ["Alt+ArrowUp"], show: ["Alt", "↑", "↓"], in: ["author"], command: "Paint the partition earlier" },
  partlater: { label: "", press: ["Alt+ArrowDown"], with: "partearlier", in: ["author"], command: "Paint the partition later" },
  addcolumn: { label: "Insert a column, a row", press: ["C"], show: ["C", "R"], in: ["author"], command: "Insert a column" },
  addrow: { label: "", press: ["R"], with: "addcolumn", in: ["author"], command: "Insert a row" },
  cutcolumn: { label: "Remove a column, a row", press: ["Shift+C"], show: ["Shift", "C", "R"], in: ["author"], command: "Remove a column" },
  cutrow: { label: "", press: ["Shift+R"], with: "cutcolumn", in: ["author"], command: "Remove a row" },
  drawtext: { label: "Draw, text", press: ["T"], in: ["author"], command: "Draw or text" },
  newRule: { label: "New rule", press: ["N"], in: ["author"] },
  ruleUp: { label: "Rule up, down", press: ["ArrowUp"], show: ["↑", "↓"], in: ["author"], command: "The rule above" },
  ruleDown: { label: "", press: ["ArrowDown"], with: "ruleUp", in: ["author"], command: "The rule below" },
  expectRule: { label: "Expect from the rule, the map", press: ["X"], show: ["X", "M"], in: ["author"], command: "Expect what happens on the pattern" },
  expectMap: { label: "", press: ["M"], with: "expectRule", in: ["author"], command: "Expect what happens on a piece of the map" },
  drawTile: { label: "Choose a tile, write it (drawing)", press: [], show: ["1", "…", "9", "Space"], in: ["author"] },
  drawSign: { label: "Type signs into cells (drawing)", press: [], show: ["#", ".", "?"], in: ["author"] },
  drawSize: { label: "Row or column more (drawing)", press: [], show: ["Shift", "←", "→"], in: ["author"] },
  drawLess: { label: "Row or column less (drawing)", press: [], show: ["Ctrl", "←", "→"], in: ["author"] },
  words: { label: "Complete a word (text)", press: [], show: ["Ctrl", "Space"], in: ["make", "author"] },
  explain: { label: "Explain a word (text)", press: [], show: ["F1"], in: ["make", "author"] },
  fix: { label: "Apply a fix", press: ["Alt+Enter"], show: ["Alt", "Enter"], typing: true },
  problem: { label: "Next problem", press: ["F8"], typing: true },
  save: { label: "Save", press: ["Ctrl+S"], show: ["Ctrl", "S"], typing: true },
  saveAs: { label: "Save under another name", press: ["Ctrl+Shift+S"], show: ["Ctrl", "Shift", "S"], typing: true },
  stop: { label: "Stop, close", press: ["Escape"], show: ["Esc"], typing: true },
  commands: { label: "Commands", press: ["Ctrl+P", "Ctrl+K"], show: ["Ctrl", "P"], typing: true },
  keys: { label: "This list", press: ["?"], command: "Key map" },
} as const satisfies Record<string, Key>

export type KeyName = keyof typeof KEYS
export const keyOf = (name: KeyName): Key => KEYS[name]

/** Single keys can be switched off: for speech input, and against presses by mistake. */
export const singleKeys = signal(recall("single keys", true))
effect(() => remember("single keys", singleKeys.value))

interface Handler {
  run: () => void
  inDialog: boolean
}

/** The handlers of each entry. The last one that was registered runs, and those of a dialog before all others. */
const handlers = signal<Map<KeyName, Handler[]>>(new Map())

export function handle(name: KeyName, run: () => void, inDialog = false): () => void {
  const next = new Map(handlers.peek())
  next.set(name, [...(next.get(name) ?? []), { run, inDialog }].sort((a, b) => Number(a.inDialog) - Number(b.inDialog)))
  handlers.value = next
  return () => {
    const rest = new Map(handlers.peek())
    rest.set(name, (rest.get(name) ?? []).filter((one) => one.run !== run))
    handlers.value = rest
  }
}

/** Registers what entries do while a component is mounted. */
export function useKeys(table: Partial<Record<KeyName, () => void>>): void {
  const latest = useRef(table)
  latest.current = table
  const names = Object.keys(table).join()
  const inDialog = useContext(InDialog)
  // At once: what a button or a sentence promises, its key does as soon as it is shown.
  useLayoutEffect(() => {
    const stops = (Object.keys(latest.current) as KeyName[]).map((name) => handle(name, () => latest.current[name]?.(), inDialog))
    return () => stops.forEach((stop) => stop())
  }, [names])
}

export function runKey(name: KeyName): boolean {
  const last = handlers.peek().get(name)?.at(-1)
  last?.run()
  return last !== undefined
}

/** Entries that do something in this view. */
export function activeKeys(): KeyName[] {
  return (Object.keys(KEYS) as KeyName[]).filter((name) => (handlers.value.get(name)?.length ?? 0) > 0 && (!keyOf(name).in || keyOf(name).in?.includes(view.value)))
}

export function pressName(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key
  const shift = event.shiftKey && (key.length > 1 || /[A-Z<>,.]/.test(key))
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + (shift ? "Shift+" : "") + key
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox"))

/** Whether an element handles a key itself. */
function usesKeyItself(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (name.startsWith("Arrow")) return target.closest("input, select, [role=radiogroup], [role=listbox], [role=slider], [role=tablist], [role=menu], .map-canvas, [data-arrows]") !== null
  if (name === "Space") return target.closest("button, a, summary, [role=button], [role=switch], [role=option], input[type=checkbox]") !== null
  return false
}

/** Whether an entry works while a dialog is open. What is behind the dialog is neither changed nor undone. */
function isForDialog(id: KeyName, plain: boolean): boolean {
  if (id === "undo" || id === "redo") return handlers.peek().get(id)?.at(-1)?.inDialog === true
  return id !== "stop" && (!plain || id === "keys")
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = pressName(event)
    const plain = !/^(Ctrl|Alt)\+/.test(name) && !/^F\d/.test(name) && name !== "Escape"
    if (usesKeyItself(event.target, name)) return
    for (const id of Object.keys(KEYS) as KeyName[]) {
      const key = keyOf(id)
      if (!key.press.includes(name) || (key.in && !key.in.includes(view.peek()))) continue
      if (isTyping(event.target) && !key.typing) continue
      if (plain && !singleKeys.peek() && id !== "keys") continue
      // While a dialog is open, only its own keys work; it handles Esc itself.
      if (document.querySelector("dialog[open]") && !isForDialog(id, plain)) {
        if (id === "undo" || id === "redo") event.preventDefault() // the browser would undo in the text behind
        continue
      }
      if (!runKey(id)) continue
      event.preventDefault()
      return
    }
  })
  // A button that was clicked gives the focus back, so that Space goes on shuffling. By keyboard the focus stays.
  addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null
    if (event.detail > 0 && button && !button.closest("dialog")) button.blur()
  })
}

/** The chosen formats, with their files and options. They are remembered for the next level. */
import { computed, effect, signal } from "@preact/signals"
import type { FormatCard, Output, Source, Value } from "../../server/protocol"
import { level } from "../../state/level"
import { plainName } from "../../project/file_names"
import { style } from "../../state/picture"
import { oneOf, recall, remember } from "../../state/storage"
import { ANIMATION, cardOf } from "./format_cards"

export const ticked = signal<string[]>(recall<string[]>("export ticked", ["png"]))
/** The format whose details are shown. */
export const current = signal<string>(recall("export current", "png"))
export const into = signal<"project" | "download">(recall<"project" | "download">("export into", "project", oneOf("project", "download")))
const chosenOptions = signal<Record<string, Record<string, Value>>>(recall("export options", {}))
/** Names given by hand: they hold for this level only. */
const named = signal<{ of: string; paths: Record<string, string> }>({ of: "", paths: {} })
effect(() => {
  remember("export ticked", ticked.value)
  remember("export current", current.value)
  remember("export into", into.value)
  remember("export options", chosenOptions.value)
})

/** The level to export. If a requirement was not met, the attempt is named: it is that very level. */
export const source = computed<Source | null>(() => (level.value ? (level.value.unmet ? level.value.exact : level.value.source) : null))

/** What files are called: as the recipe, and by the seed. */
export const stem = computed(() => {
  const head = level.value?.head
  const name = (head?.recipe || "level").replace(/^.*\//, "").replace(/\.\w+$/, "")
  const seed = level.value?.source.seed ? `-${level.value.source.seed}` : ""
  return plainName(name + seed)
})

/** A kind of a format has a name of its own: several of them may lie beside each other. */
function usualPath(card: FormatCard): string {
  const kind = card.name.includes(":") ? "-" + card.name.split(":")[1] : card.name === ANIMATION ? "-making" : ""
  return `levels/${stem.value}${kind}${card.suffixes[0] ?? ""}`
}

export function pathOf(card: FormatCard): string {
  const own = named.value.of === stem.value ? named.value.paths[card.name] : undefined
  return own ?? usualPath(card)
}

export function setPath(card: FormatCard, path: string): void {
  const paths = named.peek().of === stem.peek() ? named.peek().paths : {}
  named.value = { of: stem.peek(), paths: { ...paths, [card.name]: path } }
}

export const suitsFormat = (card: FormatCard, path: string): boolean => card.suffixes.some((suffix) => path.toLowerCase().endsWith(suffix) && path.length > suffix.length)

/** Styles that are drawn with pixels have no lines to put into a drawing or on paper. */
const VECTOR_FORMATS = new Set(["svg", "pdf", "pdf:page"])
export const stylesFor = (card: FormatCard, all: string[]): string[] => (VECTOR_FORMATS.has(card.name) ? all.filter((name) => name !== "pixels") : all)

/** The options of a format. Pictures have the style of the map by default. */
export function optionsOf(card: FormatCard): Record<string, Value> {
  const own = chosenOptions.value[card.name] ?? {}
  const like: Record<string, Value> = (card.name === "png" || card.name === "svg") && own.style === undefined ? { style: VECTOR_FORMATS.has(card.name) && style.value === "pixels" ? "ink" : style.value } : {}
  return { ...like, ...own }
}

export function setOption(card: FormatCard, option: string, value: Value | null): void {
  const own = chosenOptions.peek()[card.name] ?? {}
  const unset = value === null || (Array.isArray(value) && value.length === 0)
  chosenOptions.value = { ...chosenOptions.peek(), [card.name]: unset ? Object.fromEntries(Object.entries(own).filter(([name]) => name !== option)) : { ...own, [option]: value } }
}

export function outputOf(card: FormatCard): Output {
  const options = optionsOf(card)
  const path = pathOf(card)
  return card.name === ANIMATION ? { format: "", path, options, animation: true } : { format: card.name, path, options }
}

export const outputs = computed<{ card: FormatCard; output: Output }[]>(() =>
  ticked.value.flatMap((name) => {
    const card = cardOf(name)
    return card ? [{ card, output: outputOf(card) }] : []
  }),
)

export function tick(name: string, on: boolean): void {
  ticked.value = on ? [...ticked.peek().filter((one) => one !== name), name] : ticked.peek().filter((one) => one !== name)
}

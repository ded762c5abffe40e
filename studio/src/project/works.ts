/** Works as documents and links: the current one, and those that are opened, copied and pasted. */
import type { FileText, Problem } from "../server/protocol"
import { ask, post, refreshHello } from "../server/connection"
import { level } from "../state/level"
import { MAX_LINK_LENGTH, MAX_WORK_BYTES, isLink, packLink, unpackLink } from "../state/link"
import { dialog, say, view, VIEWS } from "../state/navigation"
import { chosenStyle, styles } from "../state/picture"
import { cardOf, openWork, recipes } from "../state/recipes"
import { base, card, change, detached, documentText, isMap, sameSource, settle, source, sourceOf, work } from "../state/work"
import { WORK_FORMAT, documentOf, joinEdits, workOfDocument, workText, type DocumentParts, type WorkDocument } from "../state/work_document"
import { isRecipePath } from "./file_names"
import { importMap } from "./import_map"
import { noteOpened } from "./opened_texts"

export const WORK_SUFFIX = ".work.json"

/** The document of the current work; a problem if the server cannot give the maps that it is made on. */
export async function currentDocument(): Promise<WorkDocument | Problem | null> {
  const now = work.peek()
  const from = now && sourceOf(now, card.peek(), detached.peek() ? null : base.peek())
  if (!now || !from) return null
  let maps: DocumentParts["maps"] = { kept: null, map: null }
  if (from.keep || isMap(now)) {
    const reply = await ask<DocumentParts["maps"]>("base_maps", { do: "base_maps", ...from })
    if (reply.kind === "problem") return reply.problem
    if (reply.kind !== "done") return null
    maps = { kept: reply.head.kept, map: reply.head.map }
  }
  const shown = level.peek()
  const here = shown && sameSource(shown.source, from) ? { attempt: shown.head.attempt, editions: shown.head.editions } : {}
  return documentOf(now, from, { maps, view: { open: view.peek(), ...(chosenStyle.peek() ? { style: chosenStyle.peek() } : {}) }, ...here })
}

export const isProblem = (of: WorkDocument | Problem): of is Problem => !("format" in of)

/** Opens a work of the project as it was left. Returns null, or a sentence that says why it failed. */
export async function openWorkFile(path: string): Promise<string | null> {
  const file = await post<FileText>("/api/files/read", { path })
  if (!file.ok) return sentence(file.problem)
  const failed = await openText(file.value.text, path)
  if (!failed) noteOpened(path, file.value.text)
  return failed
}

/** Opens the work in a link. Returns null, or a sentence that says why it failed. */
export async function openLink(link: string): Promise<string | null> {
  const text = await unpackLink(link)
  return typeof text === "string" ? openText(text) : sentence(text)
}

/** Opens the recipe, seed and sliders that a map's file tells of, with what was painted here on top. */
export async function turnAgain(): Promise<string | null> {
  const now = work.peek()
  if (!now || !isMap(now)) return null
  const reply = await ask<{ work: WorkDocument }>("work", { do: "again", recipe: now.base })
  if (reply.kind === "problem") return sentence(reply.problem)
  if (reply.kind !== "done") return null
  const data = reply.head.work
  data.edits = [...(data.edits ?? []), ...joinEdits(now.edits ?? [])]
  data.placed = [...(data.placed ?? []), ...(now.placed ?? [])]
  data.removed = [...(data.removed ?? []), ...(now.removed ?? [])]
  const found = recipes.peek().find((recipe) => recipe.name === data.recipe && recipe.origin === "ours") ?? recipes.peek().find((recipe) => recipe.name === data.recipe)
  return openText(workText({ ...data, recipe: found?.path ?? data.recipe }))
}

async function openText(text: string, path?: string): Promise<string | null> {
  const reply = await ask<{ work: WorkDocument; notes: string[] }>("work", { do: "work", text })
  if (reply.kind === "problem") return sentence(reply.problem)
  if (reply.kind !== "done") return "Another work was opened meanwhile."
  const data = reply.head.work
  const name = data.recipe ?? ""
  let known = cardOf(name.endsWith(".toml") ? { path: name } : { name })
  if (!known && name.endsWith(".toml") && data.text === undefined) {
    await refreshHello()
    known = cardOf({ path: name })
  }
  const found = workOfDocument(data, known)
  if (typeof found === "string") return found
  if (!(await openWork({ ...found, ...(path ? { document: path } : {}) }))) return "The work was changed meanwhile. Open it again."
  if (path) documentText.value = { document: path, text: found.text }
  const of = source.peek()
  if (data.marked?.length && of) {
    change({ keep: { of, cells: data.marked } })
    settle()
  }
  const { style, open } = data.view ?? {}
  if (typeof style === "string" && styles.peek().includes(style)) chosenStyle.value = style
  view.value = VIEWS.find((one) => one.name === open)?.name ?? view.peek()
  if (reply.head.notes[0]) say(reply.head.notes[0])
  return null
}

const sentence = (of: Problem): string => [of.problem, of.fix].filter(Boolean).join(". ")

/** Copies a link to the current work. What is too large for a link is offered as a file. */
export async function copyLink(): Promise<void> {
  const data = await currentDocument()
  if (!data) return
  if (isProblem(data)) {
    say(sentence(data))
    return
  }
  const text = workText(data)
  const link = new TextEncoder().encode(text).length > MAX_WORK_BYTES ? null : packLink(text)
  if (!link || link.length > MAX_LINK_LENGTH) {
    say(`This is too much for a link, which has at most ${MAX_LINK_LENGTH.toLocaleString("en")} letters. Save the work, and share the file.`)
    dialog.value = "save"
    return
  }
  try {
    await navigator.clipboard.writeText(link)
    say("Link copied. It makes the same level, in any studio.")
  } catch {
    history.replaceState(null, "", `${location.pathname}#${link}`)
    say("The link stands in the address bar, after the #.")
  }
}

/** A link that is pasted anywhere but into a text opens its work. */
export function listenToPaste(): void {
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? ""
    const target = event.target
    if (!isLink(text) || (target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, dialog")))) return
    event.preventDefault()
    void openLink(text).then((failed) => failed && say(failed))
  })
}

/** Opens what the fragment of an address names: a link, or a recipe in words, as in #recipe=cave&seed=7&size=60x30. Returns null, or a sentence that says why it failed. */
export async function openAddress(hash: string): Promise<string | null> {
  const said = new URLSearchParams(hash.slice(1))
  for (const key of said.keys()) if (isLink(key)) return openLink(key)
  const recipe = said.get("path") ?? said.get("recipe")
  if (!recipe) return "That address leads to no level: it names no recipe, and holds no link."
  const size = /^(\d+)x(\d+)$/.exec(said.get("size") ?? "")
  const style = said.get("style")
  const map = said.get("path")
  if (map && !isRecipePath(map)) {
    if (style && styles.peek().includes(style)) chosenStyle.value = style
    return importMap({ path: map })
  }
  return openText(workText({ format: WORK_FORMAT, recipe, seed: said.get("seed") ?? "1", ...(size ? { size: [Number(size[1]), Number(size[2])] } : {}), ...(style ? { view: { style } } : {}) }))
}


/** Opening recipes and works, and reading the text while it is typed. */
import { computed, effect, signal } from "@preact/signals"
import type { Problem, RecipeCard, RecipeRead } from "../server/protocol"
import { ask, connection, greeting, refreshHello, onNews } from "../server/connection"
import { openInAuthor, runOn, type StepOf } from "../project/open_in_author"
import { rulesOfStep, type Inline } from "../project/inline_rules"
import { isRecipePath } from "../project/file_names"
import { say } from "./navigation"
import { changedElsewhere, isOpenedText, noteOpened, noteRenamed, wasOpened } from "../project/opened_texts"
import { rememberedSliders } from "./slider_memory"
import { base, card, change, followFileName, isMap, setReopenWork, acceptReading, restore, settle, turnedCards, DEFAULT_TRIES, work, type Work } from "./work"

export const recipes = computed<RecipeCard[]>(() => greeting.value?.recipes ?? [])
/** What is wrong with the text now; empty while it is good. */
export const problems = signal<Problem[]>([])
/** Steps and requirements of the text with their lines, from the last good reading. */
export const outline = signal<Pick<RecipeRead, "steps" | "requirements">>({ steps: [], requirements: [] })

export const baseOf = (of: RecipeCard): Work["base"] => (of.path ? { path: of.path } : { name: of.name })
export const fileOf = (of: RecipeCard): string => of.path ?? of.name + ".toml"

export function cardOf(one: Work["base"]): RecipeCard | undefined {
  if ("imported" in one || "map" in one) return undefined
  return recipes.peek().find((recipe) => ("path" in one ? recipe.path === one.path : recipe.name === one.name && recipe.origin === "ours"))
}

/** A recipe of the gallery as a work, unchanged and in its default size. */
export const workOfCard = (of: RecipeCard, seed: string): Work => ({ base: baseOf(of), file: fileOf(of), text: of.text, values: {}, seed, size: null, until: [], tries: DEFAULT_TRIES })

/** Open a recipe of the gallery, with its sliders as they were left. */
export function openRecipe(of: RecipeCard, seed?: string): void {
  const sliders = rememberedSliders(of)
  const { card: turned, values } = turnedCards(of, sliders)
  const to = { ...workOfCard(turned, seed ?? work.peek()?.seed ?? "1"), values }
  problems.value = of.problem ? [of.problem] : []
  if (of.path) noteOpened(of.path, of.text)
  changedElsewhere.value = null
  restore(to, of, turned)
  void readNow(to.text, to.file)
  if (Object.keys(sliders).length) say("The sliders are as you left them. Reset sets them back.")
}

/** Open a work: of the history, a favourite, a link, or the last visit. */
export async function openWork(to: Work, undoable = true): Promise<boolean> {
  const was = cardOf(to.base) ?? { name: to.file.replace(/\.\w+$/, ""), about: "", tags: [], size: to.size ?? [60, 40], text: "", params: [], origin: "mine" as const }
  if (was.path && !wasOpened(was.path)) noteOpened(was.path, was.text)
  if (isMap(to)) {
    problems.value = []
    restore({ ...to, text: "" }, was, was, undoable)
    return true
  }
  if (to.text === was.text && was.params.length + (cardOf(to.base) ? 1 : 0) > 0) {
    problems.value = was.problem ? [was.problem] : []
    restore(to, was, was, undoable)
    void readNow(to.text, to.file)
    return true
  }
  const same = card.peek()
  if (same && same.text === to.text) {
    problems.value = []
    restore(to, was, same, undoable)
    return true
  }
  const held = work.peek()
  const reply = await ask<RecipeRead>("open", { do: "recipe", text: to.text, file: to.file })
  // The work was changed while the answer was awaited: that change is newer, and stays.
  if (reply.kind !== "done" || work.peek() !== held) return false
  problems.value = reply.head.problems
  outline.value = reply.head
  restore(to, was, reply.head.card ? { ...reply.head.card, text: to.text } : was, undoable)
  return true
}
setReopenWork((to) => openWork(to, false))

/** Takes typed text: shown at once, read by the server after a pause. */
export function typeText(text: string): void {
  change({ text })
  clearTimeout(readTimer)
  readTimer = setTimeout(() => {
    const now = work.peek()
    if (now && !isMap(now)) void readNow(now.text, now.file).then((good) => good && settle())
  }, 120)
}
let readTimer: ReturnType<typeof setTimeout> | undefined

/** The rules of a step of the current recipe; null if they cannot be found in its text. */
export function stepRules(of: StepOf): Inline | null {
  const now = work.peek()
  const step = outline.peek().steps.find((one) => one.id === of.step)
  return step && now?.file === of.recipe && now.text === card.peek()?.text ? rulesOfStep(now.text, step.line) : null
}

/** Draw the rules of a step in Author, those in the text or the file that it names, and run them on the level at that step. */
export function editRules(id: string): void {
  const now = work.peek()
  if (!now) return
  runOn.value = { kind: "level", step: id }
  const of = { recipe: now.file, step: id }
  const found = stepRules(of)
  if (found?.key === "rules") openInAuthor("rules", `${now.file}/${id}.rules`, { of, text: found.text })
  else if (found?.text.endsWith(".rules") && "path" in now.base) openInAuthor("rules", now.base.path.replace(/[^/]*$/, "") + found.text)
  else say(found ? `The rules are in ${found.text}, which can only be changed outside the studio.` : "Where the rules of this step stand cannot be told from its text.")
}

/** Reads a text; true if it is a recipe. */
async function readNow(text: string, file: string): Promise<boolean> {
  const reply = await ask<RecipeRead>("recipe", { do: "recipe", text, file })
  if (work.peek()?.text !== text) return false
  if (reply.kind === "problem") problems.value = [reply.problem]
  if (reply.kind !== "done") return false
  problems.value = reply.head.problems
  if (!reply.head.card) return false
  outline.value = { steps: reply.head.steps, requirements: reply.head.requirements }
  if (text !== card.peek()?.text || card.peek() === base.peek()) acceptReading({ ...reply.head.card, text })
  return true
}

// What was typed while the server was away is read when it is back.
effect(() => {
  if (connection.value.kind !== "open") return
  const now = work.peek()
  if (now && !isMap(now) && now.text !== card.peek()?.text) void readNow(now.text, now.file).then((good) => good && settle())
})

/** Files of the project that changed on disk. Views that show one listen to it. */
export const changedFile = signal<{ path: string; at: number } | null>(null)

onNews((news) => {
  if (news.kind === "renamed") {
    noteRenamed(news.path, news.to)
    void refreshHello().then(() => followFileName(news.path, news.to, cardOf({ path: news.to })))
    return
  }
  if (news.kind !== "changed" && news.kind !== "deleted") return
  changedFile.value = { path: news.path, at: Date.now() }
  if (isRecipePath(news.path)) void refreshHello().then(followFile)
})

/** Takes the new text if the current recipe was changed elsewhere and not here. If it was changed in both places, the user is asked. */
function followFile(): void {
  const now = work.peek()
  const was = base.peek()
  if (!now || !was?.path) return
  const fresh = cardOf({ path: was.path })
  if (!fresh || fresh.text === was.text) return
  if (isOpenedText(was.path, fresh.text)) base.value = fresh
  else if (now.text === was.text || now.text === fresh.text) takeFile(fresh)
  else changedElsewhere.value = { path: was.path, text: fresh.text }
}

/** Go on with the text on disk. */
export function takeFile(fresh = cardOf({ path: base.peek()?.path ?? "" })): void {
  const now = work.peek()
  if (!now || !fresh?.path) return
  changedElsewhere.value = null
  noteOpened(fresh.path, fresh.text)
  void openWork({ ...now, text: fresh.text })
}

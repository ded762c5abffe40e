/** Adds the rules to the recipe that is open in Make, as a step: by the name of their file if that lies beside the recipe, else with their text. */
import { computed } from "@preact/signals"
import { rulesLiteral, rulesOfStep } from "../../../../project/inline_rules"
import { withStep } from "../../../../project/recipe_steps"
import { freeName } from "../../../../project/file_names"
import { say, view } from "../../../../state/navigation"
import { outline, typeText } from "../../../../state/recipes"
import { card, isMap, work, type Work } from "../../../../state/work"
import { doc, type Doc } from "../state"
import { startNow } from "./run_start"

/** The recipe in Make; empty if there is none. */
export const recipeToUseIn = computed(() => (work.value && !isMap(work.value) ? work.value.file : ""))

/** The file as the recipe can name it: it is saved, and lies in the folder of the recipe or below. */
export function fileBeside(recipe: string, file: string): string | null {
  const folder = recipe.replace(/[^/]*$/, "")
  return file.startsWith(folder) ? file.slice(folder.length) : null
}

/** Says what was done, or what keeps it from being done. */
export function useInRecipe(): void {
  const now = work.peek()
  const rules = doc.peek()
  if (!rules) return
  if (!now || isMap(now)) say("Open a recipe in Make: the rules become a step of it.")
  else if (rules.of) say(`These rules stand in ${rules.of.recipe} already: save them there.`)
  else if (now.text !== card.peek()?.text) say(`The text of ${now.file} has a mistake: mend it in Make, then use the rules there.`)
  else addStep(now, rules)
}

function addStep(now: Work, rules: Doc): void {
  const { steps } = outline.peek()
  const file = rules.text === rules.saved && "path" in now.base ? fileBeside(now.base.path, rules.file) : null
  const same = file && steps.find((one) => one.use === "rewrite" && rulesOfStep(now.text, one.line)?.text === file)
  view.value = "make"
  if (same) {
    say(`${now.file} uses ${file} already, in its step ${same.id}.`)
    return
  }
  const on = startNow.peek()
  const before = on.kind === "level" ? steps.find((one) => one.id === on.step) : undefined
  const stem = rules.file.replace(/^.*\//, "").replace(/\.rules$/, "")
  const id = freeName(stem, "", steps.map((one) => one.id))
  const body = file ? `file = ${JSON.stringify(file)}` : `rules = ${rulesLiteral(rules.text, true)}`
  typeText(withStep(now.text, `use = "rewrite"\nid = ${JSON.stringify(id)}\n${body}`, before?.line || null))
  say(`${now.file} has the step ${id} now${before ? `, before ${before.id}` : ""}. Undo takes it back.`)
}

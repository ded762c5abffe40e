/** What the text of the current recipe is completed from and explained with. */
import type { WordSource } from "../../../editor/words/completion"
import type { Entry, RecipeFacts } from "../../../editor/words/entries"
import { choicesOf, loadChoices, loadVocabulary, vocabulary } from "../../../editor/words/facts"
import { allRecipeEntries, recipeHelp, recipePlace } from "../../../editor/words/recipe_words"
import { requireMeasure } from "../../../project/require_line"
import { greeting } from "../../../server/connection"
import { recipes } from "../../../state/recipes"
import { card, work } from "../../../state/work"
import { editor } from "./text_actions"

const query = (of: string) => ({ of, text: work.peek()?.text ?? "", file: work.peek()?.file ?? "" })

function factsNow(): RecipeFacts | null {
  const [hello, words] = [greeting.peek(), vocabulary.peek()]
  return hello && words && { steps: hello.steps, measures: hello.measures, recipes: recipes.peek(), params: card.peek()?.params ?? [], words, choices: (of) => choicesOf(query(of)) }
}

export const recipeSource: WordSource = {
  place: (text, at) => {
    const facts = factsNow()
    return facts && recipePlace(text, at, facts)
  },
  help: (text, at) => {
    const facts = factsNow()
    return facts && recipeHelp(text, at, facts)
  },
  load: loadVocabulary,
  want: (list) => void loadChoices(query(list)),
}

export const recipeCatalogue = (): Entry[] => {
  const facts = factsNow()
  return facts ? allRecipeEntries(facts) : []
}

/** Writes an entry of the catalogue: a step as a table after the one of the cursor, a measure into [require], other words at the cursor. */
export function writeEntry(entry: Entry): void {
  const view = editor.peek()
  if (!view) return
  if (entry.group === "measure") {
    requireMeasure(entry.label, ">= 1")
    return
  }
  const { doc, selection } = view.state
  let at = selection.main.head
  let text = entry.insert ?? entry.label
  if (entry.group === "step" || entry.group === "table") {
    const from = doc.lineAt(at).number
    let line = from
    while (line < doc.lines && !/^\s*\[/.test(doc.line(line + 1).text)) line++
    while (line > 1 && !doc.line(line).text.trim()) line--
    at = doc.line(line).to
    text = (at ? "\n\n" : "") + (entry.group === "step" ? `[[step]]\nuse = "${entry.label}"` : text)
  } else if (entry.group === "parameter") text = `"${entry.label}"`
  view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length - (text.endsWith('""') ? 1 : 0) }, scrollIntoView: true, userEvent: "input.complete" })
  view.focus()
}

/** Asks before the page is closed with text that is in no file. It would be there again at the next visit, but whoever closes it may not know that. */
import { changed as layoutChanged } from "../views/author/layouts/state"
import { changed as rulesChanged } from "../views/author/rules/state"
import { card, changed, inDocument, isMap, source, work } from "../state/work"

/** Whether the recipe's text was typed in: a slider that was turned is no text. */
function recipeTyped(): boolean {
  const now = work.peek()
  const from = source.peek()?.recipe
  return now !== null && !isMap(now) && changed.peek() && !inDocument.peek() && (now.text !== card.peek()?.text || from === undefined || "text" in from)
}

export function askBeforeLeaving(): void {
  addEventListener("beforeunload", (event) => {
    if (recipeTyped() || rulesChanged.peek() || layoutChanged.peek()) event.preventDefault()
  })
}

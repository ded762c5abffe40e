/** A rule made larger or smaller at one of its sides. */
import { outlineOf } from "./anatomy"
import { signsOf } from "./blocks"
import { withSize, rowsOf, type Side } from "./edit_drawing"
import { withRuleBelow } from "./edit_words"

/** The text with the chosen rule larger or smaller at a side. A rule that stands on its node's line gets rows of its own when it grows tall. */
export function withRuleSize(text: string, index: number, side: Side, by: number): string | null {
  const now = outlineOf(text)
  const rule = now.rules[index]
  if (!rule?.drawn) return null
  const next = withSize(now, rule.drawn, side, by, { left: "?", right: "?" })
  if (next === null || rule.drawn.form !== "line") return next
  const grown = outlineOf(next)
  const after = grown.rules[index]
  const drawn = after?.drawn
  if (!after || !drawn || drawn.left.length === 1 || drawn.left.flat().some((cell) => [...cell.text].length > 1)) return next
  const rows = rowsOf(signsOf(drawn.left), drawn.right.map(signsOf))
  if (after.node.single) return withRuleBelow(grown, after.node, rows)
  const line = grown.lines[drawn.first]
  const alone = !grown.lines[drawn.first - 1]?.body.includes(" -> ") && !grown.lines[drawn.first + 1]?.body.includes(" -> ")
  if (!line || !alone || after.tail?.words.length) return next
  const lines = grown.lines.map((one) => one.text)
  lines.splice(drawn.first, 1, ...rows.map((row, at) => " ".repeat(line.indent) + row + (at === 0 ? line.tail : "")))
  return lines.join("\n")
}

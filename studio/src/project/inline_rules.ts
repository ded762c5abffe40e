/** Rules that a recipe's text has in one of its steps: find them, and replace them. */

export interface Inline {
  /** Whether the rules stand in the text themselves, or are those of a file. */
  key: "rules" | "file"
  /** Where the key begins, and the text from its first quote to behind the last one. */
  begin: number
  from: number
  to: number
  /** The rules, or the name of the file. */
  text: string
}

const KEY = /^[ \t]*(rules|file)[ \t]*=[ \t]*/
const LITERAL = /"""(?:[^\\]|\\[^])*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const ESCAPED: Record<string, string> = { '"': '\\"', "\n": "\\n", "\t": "\\t" }

/** The rules, or the rule file, of the step that begins on a line; null if the text has a form that this reader does not know. */
export function rulesOfStep(text: string, line: number): Inline | null {
  const lines = text.split("\n")
  if (!/^\s*\[\[\s*step/.test(lines[line - 1] ?? "")) return null
  let at = lines.slice(0, line).join("\n").length + 1
  for (const one of lines.slice(line)) {
    const key = KEY.exec(one)
    if (key) {
      const found = literalAt(text, at + key[0].length)
      return found && { ...found, key: key[1] as Inline["key"], begin: at }
    }
    if (/^[ \t]*\[/.test(one)) return null // the next table
    at += one.length + 1
  }
  return null
}

function literalAt(text: string, from: number): Pick<Inline, "from" | "to" | "text"> | null {
  LITERAL.lastIndex = from
  const whole = LITERAL.exec(text)?.[0]
  if (whole === undefined) return null
  const many = /^("""|''')/.test(whole) ? 3 : 1
  const inside = whole.slice(many, -many).replace(/^\n/, "")
  const to = from + whole.length
  if (whole.startsWith("'")) return { from, to, text: inside }
  try {
    // The escapes that rules need mean the same in JSON.
    return { from, to, text: JSON.parse(`"${inside.replace(/\\[^]|["\n\t]/g, (one) => ESCAPED[one] ?? one)}"`) as string }
  } catch {
    return null
  }
}

/** Rules as a TOML text of several lines; literal, without escapes, if that is possible. */
export function rulesLiteral(rules: string, literal = false): string {
  const whole = rules.endsWith("\n") ? rules : rules + "\n"
  return literal && !whole.includes("'''") ? `'''\n${whole}'''` : `"""\n${whole.replaceAll("\\", "\\\\").replaceAll('"""', '""\\"')}"""`
}

/** The recipe's text with other rules in that place, also if a file was named there. */
export function withRules(recipe: string, at: Inline, rules: string): string {
  return (at.key === "rules" ? recipe.slice(0, at.from) : recipe.slice(0, at.begin) + "rules = ") + rulesLiteral(rules, recipe.startsWith("'''", at.from)) + recipe.slice(at.to)
}

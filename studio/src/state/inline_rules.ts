/** Rules that a recipe's text has in one of its steps: where they stand, and how others take their place. */

/** From the first quote to behind the last one. */
export interface Inline {
  from: number
  to: number
  rules: string
}

const KEY = /^[ \t]*(rules|file)[ \t]*=[ \t]*/
const LITERAL = /"""(?:[^\\]|\\[^])*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const ESCAPED: Record<string, string> = { '"': '\\"', "\n": "\\n", "\t": "\\t" }

/** What the step that begins on a line says of its rules: their text, or the name of a file; null if it is written in a way that is not understood here. */
export function rulesOfStep(text: string, line: number): Inline | { file: string } | null {
  const lines = text.split("\n")
  let at = lines.slice(0, line).join("\n").length + 1
  for (const one of lines.slice(line)) {
    const key = KEY.exec(one)
    if (key) {
      const found = literalAt(text, at + key[0].length)
      return found && key[1] === "file" ? { file: found.rules } : found
    }
    if (/^[ \t]*\[/.test(one)) return null // the next table
    at += one.length + 1
  }
  return null
}

function literalAt(text: string, from: number): Inline | null {
  LITERAL.lastIndex = from
  const whole = LITERAL.exec(text)?.[0]
  if (whole === undefined) return null
  const many = /^("""|''')/.test(whole) ? 3 : 1
  const inside = whole.slice(many, -many).replace(/^\n/, "")
  const to = from + whole.length
  if (whole.startsWith("'")) return { from, to, rules: inside }
  try {
    // What stands behind a backslash means the same in JSON, as far as rules need it.
    return { from, to, rules: JSON.parse(`"${inside.replace(/\\[^]|["\n\t]/g, (one) => ESCAPED[one] ?? one)}"`) as string }
  } catch {
    return null
  }
}

/** The recipe's text with other rules in that place. */
export function withRules(text: string, at: Inline, rules: string): string {
  const whole = rules.endsWith("\n") ? rules : rules + "\n"
  return text.slice(0, at.from) + '"""\n' + whole.replaceAll("\\", "\\\\").replaceAll('"""', '""\\"') + '"""' + text.slice(at.to)
}

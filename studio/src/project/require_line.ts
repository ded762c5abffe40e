/** Requirements in a recipe's text: what a measure must be, as a line of its table [require]. */
import { settle, work } from "../state/work"
import { typeText } from "../state/recipes"
import { say } from "../state/navigation"

/** ">= 3", "<= 0.5", "== 2", "between 2 and 6"; null if nothing is asked. */
export function conditionOf(low: number | null, high: number | null): string | null {
  if (low !== null && high !== null) return low === high ? `== ${low}` : `between ${low} and ${high}`
  return low !== null ? `>= ${low}` : high !== null ? `<= ${high}` : null
}

/** A bound that a value meets, without the noise of its last digits. */
export function bound(value: number, sign: ">=" | "<=" | "=="): string {
  const scaled = value * 1000
  const near = Math.abs(scaled - Math.round(scaled)) < 1e-6 ? Math.round(scaled) : sign === ">=" ? Math.floor(scaled) : Math.ceil(scaled)
  return `${sign} ${Number.isInteger(value) ? value : near / 1000}`
}

/** The text with that requirement: its line is changed if there is one, else added to [require], which is added if it is missing. */
export function withRequirement(text: string, measure: string, condition: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const lines = text.split(/\r?\n/)
  let table = ""
  let long = ""
  let last = -1
  for (const [at, line] of lines.entries()) {
    if (long) {
      if (line.includes(long)) long = ""
      continue
    }
    const opened = /("""|''')/.exec(line)
    if (opened && !line.slice(opened.index + 3).includes(opened[0])) long = opened[0]
    const head = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)
    if (head) table = head[1] ?? ""
    if (table !== "require") continue
    if (head || /^\s*[\w"'-]+\s*=/.test(line)) last = at
    const own = /^(\s*(["']?)([\w-]+)\2\s*=\s*)(?:"[^"]*"|'[^']*'|[^#]*?)(\s*(?:#.*)?)$/.exec(line)
    if (own && own[3] === measure) {
      lines[at] = `${own[1]}"${condition}"${own[4]}`
      return lines.join(newline)
    }
  }
  const row = `${measure} = "${condition}"`
  if (last >= 0) {
    lines.splice(last + 1, 0, row)
    return lines.join(newline)
  }
  return `${text.trimEnd()}${newline}${newline}[require]${newline}${row}${newline}`
}

/** Writes the requirement into the text of the current recipe. */
export function requireMeasure(measure: string, condition: string): void {
  const now = work.peek()
  if (!now) return
  typeText(withRequirement(now.text, measure, condition))
  settle()
  say(`Required: ${measure} ${condition}`)
}

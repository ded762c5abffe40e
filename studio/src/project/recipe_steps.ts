/** Steps in the text of a recipe: add one. */

/** Comments and texts, which may hold what looks like a header. */
const HIDDEN = /#[^\n]*|"""(?:[^\\]|\\[^])*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g

/** The text with a further step: before the one that begins on a line, or behind the last one. `body` are its keys. */
export function withStep(recipe: string, body: string, before: number | null): string {
  const lines = recipe.split("\n")
  const plain = recipe.replace(HIDDEN, (one) => one.replace(/[^\n]/g, " ")).split("\n")
  const isStep = (line: string): boolean => /^\s*\[\[\s*step\s*\]\]/.test(line)
  let at = before === null ? lines.length : before - 1
  if (before === null) {
    const last = plain.findLastIndex(isStep)
    const next = plain.findIndex((line, index) => index > last && /^\s*\[/.test(line))
    if (next >= 0 && last >= 0) at = next
  }
  // What is said above a table belongs to it.
  while (at < lines.length && at > 0 && /^\s*#/.test(lines[at - 1] ?? "")) at--
  while (at > 0 && !lines[at - 1]?.trim()) at--
  const rest = lines.slice(at).join("\n").replace(/^\n+/, "")
  return [...lines.slice(0, at), "", "[[step]]", body.trimEnd(), ...(rest ? ["", rest] : [""])].join("\n")
}

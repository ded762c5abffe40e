/** A requirement loosened to what a level has. */
import type { Required } from "../../../widgets/measure_text"

/** The requirement with the number that the level has; null if it is not a plain comparison. */
export function relaxedBound(one: Required): string | null {
  if (one.value === null) return null
  const plain = /^(\w+)\s*(<=|>=|==)\s*(-?[\d.]+)$/.exec(one.text)
  if (plain) return `${plain[1]} ${plain[2] === "==" ? (one.value > Number(plain[3]) ? "<=" : ">=") : plain[2]} ${one.value}`
  const between = /^(\w+) between (-?[\d.]+) and (-?[\d.]+)$/.exec(one.text)
  if (between) return `${between[1]} between ${Math.min(one.value, Number(between[2]))} and ${Math.max(one.value, Number(between[3]))}`
  return null
}

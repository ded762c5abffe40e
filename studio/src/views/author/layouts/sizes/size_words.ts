/** Sizes in words: exact, short, or refused with the sizes that would do. */
import type { LayoutSize } from "../../../../server/protocol"

export type Size = [number, number]

export const sizeKey = (size: Size): string => `${size[0]}x${size[1]}`

/** By how much a room is smaller (or, with overgrow, larger) than it was asked for; 0 if it is exact. */
export function sizeDifference(head: LayoutSize): number {
  return head.made ? Math.max(Math.abs(head.size[0] - head.made[0]), Math.abs(head.size[1] - head.made[1])) : 0
}

const countWord = (many: number): string => ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][many] ?? String(many)

/** "one short", "exact", "two wider". */
export function verdict(head: LayoutSize): string {
  if (!head.made) return "cannot be made"
  if (head.exact) return "exact"
  const across = head.made[0] - head.size[0]
  const down = head.made[1] - head.size[1]
  const words = [
    across && `${countWord(Math.abs(across))} ${across < 0 ? "narrower" : "wider"}`,
    down && `${countWord(Math.abs(down))} ${down < 0 ? "lower" : "higher"}`,
  ]
  return words.filter(Boolean).join(", ")
}

/** Which side of a refused size is at fault, and which would do: "11 wide", "9 or 12 only". */
export function refusal(head: LayoutSize): { fault: string; works: string } {
  const near = head.near ?? []
  const [width, height] = head.size
  const or = (sides: number[]): string => `${[...new Set(sides)].join(" or ")} only`
  if (near.length && near.every((one) => one[1] === height)) return { fault: `${width} wide`, works: or(near.map((one) => one[0])) }
  if (near.length && near.every((one) => one[0] === width)) return { fault: `${height} high`, works: or(near.map((one) => one[1])) }
  return { fault: `${width} × ${height}`, works: near[0] ? `try ${near[0][0]} × ${near[0][1]}` : "no size near" }
}

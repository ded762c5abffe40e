/** The difference of two texts as one replacement. */

/** The smallest replacement that makes one text of the other. */
export function difference(from: string, to: string): { from: number; to: number; insert: string } | null {
  if (from === to) return null
  let begin = 0
  while (begin < from.length && begin < to.length && from[begin] === to[begin]) begin++
  let end = 0
  while (end < from.length - begin && end < to.length - begin && from[from.length - 1 - end] === to[to.length - 1 - end]) end++
  return { from: begin, to: from.length - end, insert: to.slice(begin, to.length - end) }
}

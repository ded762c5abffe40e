/** Where a card can lie over the map so that it hides as little as possible of what matters. */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Hidden {
  /** The cell that the card is about, in pixels: never covered. */
  about: Box
  /** Points that matter, in pixels, and how much: the path, matches, misses. */
  points: readonly { x: number; y: number; weight: number }[]
  /** Whether there is ground at a point. */
  ground: (x: number, y: number) => boolean
}

const GAP = 14
const EDGE = 12
/** Ground is looked at in so many places across and down. */
const SAMPLES = 14

/** The best of some dozens of places. `room` is what the card may lie in. */
export function bestPlace(card: { width: number; height: number }, room: Box, hidden: Hidden): { x: number; y: number } {
  const { about } = hidden
  const left = room.x + EDGE
  const top = room.y + EDGE
  const right = Math.max(left, room.x + room.width - EDGE - card.width)
  const bottom = Math.max(top, room.y + room.height - EDGE - card.height)
  const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))
  const across = [about.x + about.width + GAP, about.x - GAP - card.width, about.x + about.width / 2 - card.width / 2, left, right, (left + right) / 2, (3 * left + right) / 4, (left + 3 * right) / 4]
  const down = [about.y + about.height / 2 - card.height / 2, about.y + about.height + GAP, about.y - GAP - card.height, about.y - 20, about.y + about.height + 20 - card.height, top, bottom, (top + bottom) / 2]
  let best = { x: left, y: top }
  let least = Infinity
  for (const wantX of across)
    for (const wantY of down) {
      const x = within(wantX, left, right)
      const y = within(wantY, top, bottom)
      const score = placementCost({ x, y, width: card.width, height: card.height }, hidden, least)
      if (score < least) {
        least = score
        best = { x, y }
      }
    }
  return best
}

function placementCost(card: Box, hidden: Hidden, least: number): number {
  const { about } = hidden
  const pad = 6
  if (card.x < about.x + about.width + pad && card.x + card.width > about.x - pad && card.y < about.y + about.height + pad && card.y + card.height > about.y - pad) return 1e6
  // Places further away are a little worse.
  const away = Math.hypot(Math.max(card.x - about.x, 0, about.x - card.x - card.width), Math.max(card.y - about.y, 0, about.y - card.y - card.height))
  let score = away * 0.12
  for (const point of hidden.points) {
    if (point.x > card.x && point.x < card.x + card.width && point.y > card.y && point.y < card.y + card.height) score += point.weight
    if (score >= least) return score
  }
  let covered = 0
  for (let j = 0; j < SAMPLES; j++)
    for (let i = 0; i < SAMPLES; i++) if (hidden.ground(card.x + ((i + 0.5) / SAMPLES) * card.width, card.y + ((j + 0.5) / SAMPLES) * card.height)) covered++
  return score + (covered / SAMPLES ** 2) * 120
}

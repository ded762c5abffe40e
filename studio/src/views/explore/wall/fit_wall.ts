/** How large the thumbnails of the wall are, and in how many columns they stand. */

export const GAP = 8

export const PAD = 16

/** Caption and bars below a thumbnail. */
export const CAPTION_HEIGHT = 30

export const MIN_THUMBNAIL_PIXELS = 84

export const MAX_THUMBNAIL_PIXELS = 236

export interface Fit {
  columns: number
  width: number
  height: number
}

/** The largest thumbnails with which all fit; if they would be too small, the wall scrolls. */
export function fitWall(across: number, down: number, count: number, ratio: number): Fit {
  const shape = Math.max(0.45, Math.min(0.95, ratio))
  const of = (columns: number): Fit => {
    const width = Math.min(MAX_THUMBNAIL_PIXELS, Math.floor((across - 2 * PAD - (columns - 1) * GAP) / columns))
    return { columns, width, height: Math.round((width - 8) * shape) + 8 }
  }
  let best: Fit | null = null
  let most = 0
  for (let columns = 3; columns <= 16; columns++) {
    const fit = of(columns)
    const rows = Math.ceil(count / columns)
    if (fit.width < MIN_THUMBNAIL_PIXELS) break
    const high = Math.floor((down - 24 - (rows - 1) * GAP) / rows) - CAPTION_HEIGHT
    const drawn = Math.min(fit.width - 8, (high - 8) / shape)
    if (drawn < MIN_THUMBNAIL_PIXELS - 8) continue
    // Rows that are all full look better than a little more of each picture. What is left over goes into the pictures, as far as it becomes them.
    const worth = drawn * (count % columns ? 1 : 1.12)
    if (worth > most) [most, best] = [worth, { ...fit, height: Math.min(high, Math.round(fit.width * Math.max(0.72, shape))) }]
  }
  if (best) return best
  const about = Math.max(3, Math.min(10, Math.floor((across - 2 * PAD + GAP) / (Math.max(MIN_THUMBNAIL_PIXELS, 112) + GAP))))
  return of([about, about + 1, about - 1].find((columns) => columns > 2 && count % columns === 0 && of(columns).width >= MIN_THUMBNAIL_PIXELS) ?? about)
}

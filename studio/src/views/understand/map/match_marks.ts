/** Where the chosen rule matches now, and where it nearly does. */
import { computed, effect } from "@preact/signals"
import { traceOutline } from "../../../canvas/level_layers"
import { LAYER_ORDER } from "../../../canvas/map_view"
import { colour, theme } from "../../../state/theme"
import { allMisses, chosenRow, miss } from "../rules/explanations"
import { map, sizeNow } from "./map"
import { variantSize, writtenCells } from "../rules/variant_shapes"
import { side } from "../state"
import { dependOn } from "../../../state/depend_on"

const MAX_MATCH_CELLS = 40_000

/** The cells that the rule would write, all matches together. */
export const matchCells = computed<ReadonlySet<number>>(() => {
  const seen = chosenRow.value?.seen
  const found = new Set<number>()
  if (!seen) return found
  const [width] = sizeNow.value
  const shapes = new Map<number, [number, number][]>()
  for (const [x, y, variant] of seen.places) {
    let cells = shapes.get(variant)
    if (!cells) shapes.set(variant, (cells = writtenCells(seen.pattern, seen.results, variant)))
    for (const [dx, dy] of cells) found.add((y + dy) * width + x + dx)
    if (found.size > MAX_MATCH_CELLS) break
  }
  return found
})

export const misses = computed(() => (side.value === "rule" ? (chosenRow.value?.seen?.nearest ?? []) : []))

map.add({
  name: "matches",
  order: LAYER_ORDER.tint,
  draw: (pen) => {
    const cells = matchCells.peek()
    if (!cells.size) return
    const { ctx, px, seen } = pen
    const width = map.camera.columns
    ctx.fillStyle = theme.peek() === "light" ? "rgba(214,138,30,.38)" : "rgba(242,176,74,.3)"
    for (const cell of cells) {
      const x = cell % width
      const y = Math.floor(cell / width)
      if (x >= seen.x0 && x < seen.x1 && y >= seen.y0 && y < seen.y1) ctx.fillRect(x, y, 1, 1)
    }
    if (pen.scale < 3) return
    traceOutline(pen, (x, y) => x >= 0 && y >= 0 && x < width && cells.has(y * width + x))
    ctx.lineWidth = 1.4 * px
    ctx.strokeStyle = colour("accent-fill")
    ctx.stroke()
  },
})

map.add({
  name: "misses",
  order: LAYER_ORDER.marks + 8,
  draw: ({ ctx, px }) => {
    const seen = chosenRow.peek()?.seen
    if (!seen) return
    misses.peek().forEach((one, index) => {
      const now = index === miss.peek()
      if (!now && !allMisses.peek()) return
      const [width, height] = variantSize(seen.size, one.variant)
      ctx.globalAlpha = now ? 1 : 0.55
      ctx.strokeStyle = colour("bad")
      ctx.lineWidth = (now ? 1.8 : 1.2) * px
      ctx.setLineDash(now ? [] : [3 * px, 3 * px])
      ctx.strokeRect(one.at[0] - px, one.at[1] - px, width + 2 * px, height + 2 * px)
      ctx.setLineDash([])
      if (now)
        for (const wrong of one.wrong.slice(0, 12)) {
          ctx.fillStyle = colour("bad-soft")
          ctx.fillRect(wrong.at[0], wrong.at[1], 1, 1)
          ctx.strokeRect(wrong.at[0] + 1.5 * px, wrong.at[1] + 1.5 * px, 1 - 3 * px, 1 - 3 * px)
        }
    })
    ctx.globalAlpha = 1
  },
})

effect(() => {
  dependOn(matchCells.value, misses.value, miss.value, allMisses.value)
  map.redraw()
})

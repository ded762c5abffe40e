/** The plot as an element: pointer and arrow keys choose a bin. */
import { useSignal, useSignalEffect } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { measureName } from "../../../widgets/measure_text"
import { theme } from "../../../state/theme"
import { matching } from "../loading"
import { arrived } from "../wall/level_cache"
import { drawPlot, frameOf, type Dot } from "./draw_plot"
import { spotOf, type Bin } from "./bins"
import { chosenBin, chosenSpot, hangBin, hoveredBin, hoveredSpot, plotted } from "./plot_state"
import { inFront } from "./second_recipe"
import { across, markOf, pointed, levelOfSeed, seeds, up } from "../state"
import { dependOn } from "../../../state/depend_on"

export function Plot() {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSignal({ width: 436, height: 360 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = (): void => void (size.value = { width: element.clientWidth, height: element.clientHeight })
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  useSignalEffect(() => {
    const plot = plotted.value
    const { width, height } = size.value
    const light = theme.value === "light"
    const swapped = inFront.value === "second" && plot?.second
    const dots = dotsOf()
    const [chosen, hovered] = [chosenBin.value, hoveredBin.value]
    if (!canvas.current || !plot) return
    drawPlot(canvas.current, width, height, {
      plot,
      across: across.value,
      up: up.value,
      light,
      front: swapped ? swapped : plot.first,
      behind: swapped ? plot.first : plot.second,
      chosen,
      hovered,
      dots,
    })
  })

  const at = (event: { clientX: number; clientY: number }): Bin | null => {
    const plot = plotted.peek()
    const place = canvas.current?.getBoundingClientRect()
    if (!plot || !place) return null
    const { x0, y0, x1, y1 } = frameOf(size.peek().width, size.peek().height)
    const column = Math.floor(((event.clientX - place.left - x0) / (x1 - x0)) * plot.x.bins)
    const row = Math.floor(((y1 - (event.clientY - place.top)) / (y1 - y0)) * plot.y.bins)
    return column < 0 || row < 0 || column >= plot.x.bins || row >= plot.y.bins ? null : { column, row }
  }
  const spot = (bin: Bin | null) => {
    const plot = plotted.peek()
    return bin && plot ? spotOf(bin, plot) : null
  }

  return (
    <div class="xp-plot" ref={box}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`Expressive range: ${measureName(across.value)} across, ${measureName(up.value)} up. Arrow keys go from bin to bin, Enter puts its levels on the wall.`}
        data-arrows
        onPointerMove={(event) => (hoveredSpot.value = spot(at(event)))}
        onPointerLeave={() => (hoveredSpot.value = null)}
        onClick={(event) => {
          const bin = at(event)
          if (bin) chosenSpot.value = spot(bin)
        }}
        onKeyDown={(event) => {
          const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
          const plot = plotted.peek()
          if (event.key === "Enter") hangBin()
          else if (step && plot) {
            const now = chosenBin.peek() ?? { column: plot.x.bins >> 1, row: plot.y.bins >> 1 }
            const clamp = (value: number, most: number): number => Math.max(0, Math.min(most - 1, value))
            chosenSpot.value = spotOf({ column: clamp(now.column + (step[0] ?? 0), plot.x.bins), row: clamp(now.row + (step[1] ?? 0), plot.y.bins) }, plot)
          } else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      {!plotted.value && <p class="xp-plot-none">The plot grows here as seeds are measured.</p>}
    </div>
  )
}

/** A dot for each seed of the wall; what is marked or pointed at lies on top. */
function dotsOf(): Dot[] {
  dependOn(arrived.value)
  const dots: Dot[] = []
  const passing = matching.value
  for (const seed of seeds.value) {
    const values = levelOfSeed(seed)?.measures
    const [x, y] = [values?.[across.value], values?.[up.value]]
    if (x === null || x === undefined || y === null || y === undefined) continue
    const which = markOf(seed)
    dots.push({ x, y, look: which ? (which === "a" ? "A" : "B") : pointed.value === seed ? "pointed" : passing.has(seed) ? "in" : "out" })
  }
  const over = { out: 0, in: 1, pointed: 2, A: 3, B: 3 }
  return dots.sort((a, b) => over[a.look] - over[b.look])
}

/** The timeline as an element: drag to scrub, wheel to zoom in time, arrow keys to step. */
import { effect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { theme } from "../../../state/theme"
import { TimelineCanvas } from "./timeline_canvas"
import { fitTime, followPlayhead, hoveredTurn, timeWindow, scroll, tip, zoomTime } from "./time_window"
import { choose, chosen, goTo, run, sameRule, stepRecipeBy, stepBy, turn } from "../state"
import { dependOn } from "../../../state/depend_on"

/** The next lane up or down: its rule is chosen. */
export function moveLane(by: 1 | -1): void {
  const lanes = run.peek()?.lanes ?? []
  if (!lanes.length) return
  const at = lanes.findIndex((lane) => sameRule(lane, chosen.peek()))
  const to = at < 0 ? (by > 0 ? 0 : lanes.length - 1) : Math.max(0, Math.min(lanes.length - 1, at + by))
  const lane = lanes[to]
  if (lane) choose({ step: lane.step, rule: lane.rule })
}

export function Strip() {
  const holder = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const box = holder.current
    if (!element || !box) return
    const painter = new TimelineCanvas(element)
    const watcher = new ResizeObserver(() => painter.resize(box.clientWidth, box.clientHeight))
    watcher.observe(box)
    const stop = effect(() => {
      dependOn(run.value, turn.value, chosen.value, timeWindow.value, scroll.value, hoveredTurn.value, theme.value)
      followPlayhead()
      painter.redraw()
    })
    // A rule chosen elsewhere comes into sight.
    const seen = effect(() => {
      const at = run.value?.lanes.findIndex((lane) => sameRule(lane, chosen.value)) ?? -1
      if (at >= 0) painter.reveal(at)
    })
    void document.fonts.ready.then(() => painter.redraw())
    return () => {
      watcher.disconnect()
      stop()
      seen()
      painter.gone = true
    }
  }, [])
  const now = run.value
  const said = now ? `Turn ${turn.value.toLocaleString("en")} of ${now.log.last.toLocaleString("en")}, ${now.log.source(turn.value)}` : "No timeline"
  return (
    <div class="under-strip" ref={holder} title={tip.value || undefined}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="Timeline"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={now?.log.last ?? 0}
        aria-valuenow={turn.value}
        aria-valuetext={said}
        onKeyDown={onKey}
      />
    </div>
  )
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const acts: Record<string, () => void> = {
    ArrowLeft: () => (event.shiftKey ? stepRecipeBy(-1) : stepBy(-1)),
    ArrowRight: () => (event.shiftKey ? stepRecipeBy(1) : stepBy(1)),
    ArrowUp: () => moveLane(-1),
    ArrowDown: () => moveLane(1),
    PageUp: () => stepRecipeBy(-1),
    PageDown: () => stepRecipeBy(1),
    Home: () => goTo(0),
    End: () => goTo(Infinity),
    "+": () => zoomTime(1.6),
    "=": () => zoomTime(1.6),
    "-": () => zoomTime(1 / 1.6),
    "0": fitTime,
  }
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

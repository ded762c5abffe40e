/** Every size, live: a grid of widths and heights. Drag, scroll or use the arrow keys to see others. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../../../../widgets/button"
import { Segmented, Stepper, Switch } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { reducedMotion } from "../../../../state/theme"
import { SizeCell } from "./size_cell"
import { sizeKey, type Size } from "./size_words"
import { first, ghosted, showSmallest, inSight, leniency, madeSizes, overgrow, pan, reveal, shows, span, trouble } from "./sizes"
import { doc, reading } from "../state"
import { Tally } from "./tally"
import { Why, why } from "./why_card"

/** The least space that a size needs on the sheet. */
const MIN_CELL_PIXELS = { width: 92, height: 106 }
const RULER_PIXELS = { left: 40, top: 30 }

export function Sheet() {
  return (
    <section class="panel lay-sheet" aria-label="Every size, live">
      <header class="lay-bar">
        <h2>Every size, live</h2>
        <Segmented
          small
          label="Show"
          value={shows.value}
          options={[
            { value: "partitions", title: "partitions" },
            { value: "tiles", title: "tiles" },
          ]}
          onChange={(value) => (shows.value = value)}
        />
        <span class="gap" />
        <Leniency />
        <label class="lay-switch">
          <span class="quiet">Overgrow</span>
          <Switch bare label="Overgrow: rooms may be larger too" value={overgrow.value} onChange={(value) => (overgrow.value = value)} />
        </label>
      </header>
      <Grid />
      <Tally />
    </section>
  )
}

/** How much smaller a room may be than it was asked for: the same both ways, or each for itself. */
function Leniency() {
  const [across, down] = leniency.value
  const apart = useSignal(across !== down)
  const split = apart.value || across !== down
  return (
    <span class="lay-leniency">
      <span class="quiet">Leniency</span>
      <Stepper label={split ? "Leniency across" : "Leniency"} value={across} low={0} high={64} onChange={(value) => (leniency.value = split ? [value, down] : [value, value])} />
      {split && <Stepper label="Leniency down" value={down} low={0} high={64} onChange={(value) => (leniency.value = [across, value])} />}
      <Button
        small
        look="quiet"
        icon="link"
        label={split ? "The same leniency both ways" : "A leniency for each side"}
        pressed={!split}
        onClick={() => {
          apart.value = !split
          if (split) leniency.value = [across, across]
        }}
      />
    </span>
  )
}

function Grid() {
  const box = useRef<HTMLDivElement>(null)
  const room = useSignal({ width: 0, height: 0 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => {
      room.value = { width: element.clientWidth, height: element.clientHeight }
      span.value = [
        Math.max(2, Math.min(12, Math.floor((element.clientWidth - RULER_PIXELS.left - 8) / MIN_CELL_PIXELS.width))),
        Math.max(2, Math.min(12, Math.floor((element.clientHeight - RULER_PIXELS.top - 8) / MIN_CELL_PIXELS.height))),
      ]
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => (box.current ? listenToScrolling(box.current) : undefined), [])
  const [columns, rows] = span.value
  const foot = matchMedia("(pointer: coarse)").matches ? 64 : 12
  const cell = { width: (room.value.width - RULER_PIXELS.left - 14) / columns - 6, height: (room.value.height - RULER_PIXELS.top - foot) / rows - 6 }
  const [width, height] = first.value
  // One scale for all, so that sizes can be compared: the largest in sight fits, with room for what a room may be larger.
  const more = overgrow.value ? Math.max(...leniency.value) : 0
  const ratio = window.devicePixelRatio || 1
  const fitting = Math.max(1.2, Math.min((cell.width - 10) / (width + columns - 1 + more), (cell.height - 10) / (height + rows - 1 + more), 14))
  // Whole pixels, where there are some: then no seams show.
  const scale = fitting * ratio >= 2 ? Math.floor(fitting * ratio) / ratio : fitting
  const now = doc.value
  const here = ghosted.value
  return (
    <div
      ref={box}
      class="lay-grid"
      data-arrows
      onKeyDown={onKey}
      onPointerLeave={() => {
        if (!why.peek()?.pinned) ghosted.value = null
      }}
    >
      {now && room.value.width > 0 && (
        <>
          <div class="lay-ruler-corner" aria-hidden="true">
            <span>w</span>
            <span>h</span>
          </div>
          <div class="lay-table" role="grid" aria-label="Sizes: widths across, heights down" aria-rowcount={-1} aria-colcount={-1}>
            <div class="lay-columns" role="row" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
              {Array.from({ length: columns }, (_, at) => (
                <span key={at} role="columnheader" class={here?.[0] === width + at ? "on" : ""} aria-label={`${width + at} wide`}>
                  {width + at}
                </span>
              ))}
            </div>
            <div class="lay-rows" role="rowgroup" style={{ gridTemplateRows: `repeat(${rows}, 1fr)` }}>
              {Array.from({ length: rows }, (_, at) => (
                <div key={at} role="row" class="lay-sizes" style={{ gridTemplateColumns: `${RULER_PIXELS.left}px repeat(${columns}, 1fr)` }}>
                  <span role="rowheader" class={here?.[1] === height + at ? "on" : ""} aria-label={`${height + at} high`}>
                    {height + at}
                  </span>
                  {inSight.value.slice(at * columns, (at + 1) * columns).map((size) => (
                    <SizeCell key={sizeKey(size)} size={size} of={madeSizes.value.get(sizeKey(size)) ?? null} doc={now} scale={scale} width={cell.width} height={cell.height} first={size === inSight.value[0]} />
                  ))}
                </div>
              ))}
            </div>
          </div>
          <Pans />
        </>
      )}
      {trouble.value && (
        <p class="lay-trouble" role="status">
          {trouble}
        </p>
      )}
      <Why within={room.value} />
    </div>
  )
}

/** Buttons to see other sizes, without dragging or scrolling. */
function Pans() {
  const smallest = reading.value?.size
  const away = smallest && (smallest[0] !== first.value[0] || smallest[1] !== first.value[1])
  return (
    <div class="lay-pans">
      <Button small look="quiet" icon="back" label="Narrower sizes" disabled={first.value[0] <= 1} onClick={() => pan(-1, 0)} />
      <Button small look="quiet" icon="on" label="Wider sizes" onClick={() => pan(1, 0)} />
      <button type="button" class="button quiet small square lay-up" aria-label="Lower sizes" title="Lower sizes" disabled={first.value[1] <= 1} onClick={() => pan(0, -1)}>
        <Icon name="back" />
      </button>
      <button type="button" class="button quiet small square lay-up" aria-label="Higher sizes" title="Higher sizes" onClick={() => pan(0, 1)}>
        <Icon name="on" />
      </button>
      {away && (
        <Button small look="quiet" icon="reset" label="Back to the smallest room" onClick={showSmallest} />
      )}
    </div>
  )
}

/** Wheel and drags move what is in sight, a size at a time. */
function listenToScrolling(element: HTMLElement): () => void {
  let rest = { x: 0, y: 0 }
  const by = (dx: number, dy: number, step: { width: number; height: number }): void => {
    rest = { x: rest.x + dx / step.width, y: rest.y + dy / step.height }
    const [across, down] = [Math.trunc(rest.x), Math.trunc(rest.y)]
    if (!across && !down) return
    rest = { x: rest.x - across, y: rest.y - down }
    pan(across, down)
    unpin()
  }
  const step = (): { width: number; height: number } => ({ width: (element.clientWidth - RULER_PIXELS.left) / span.peek()[0], height: (element.clientHeight - RULER_PIXELS.top) / span.peek()[1] })
  const wheel = (event: WheelEvent): void => {
    if (event.ctrlKey) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? 40 : 1
    const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY]
    by(dx * unit, dy * unit, { width: 100, height: 100 })
  }
  let from: { x: number; y: number; id: number; far: boolean } | null = null
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest(".lay-why, .lay-pans"))) return
    from = { x: event.clientX, y: event.clientY, id: event.pointerId, far: false }
    rest = { x: 0, y: 0 }
  }
  const move = (event: PointerEvent): void => {
    if (!from || event.pointerId !== from.id) return
    if (!from.far && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 8) return
    if (!from.far) {
      from.far = true
      element.setPointerCapture(event.pointerId)
      element.classList.add("dragged")
      ghosted.value = null
    }
    by(from.x - event.clientX, from.y - event.clientY, step())
    from = { ...from, x: event.clientX, y: event.clientY }
  }
  const up = (event: PointerEvent): void => {
    if (from?.far) {
      // A drag is no click on the size where it ends.
      element.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true })
      setTimeout(() => element.classList.remove("dragged"), reducedMotion.matches ? 0 : 60)
    }
    if (event.pointerId === from?.id) from = null
  }
  element.addEventListener("wheel", wheel, { passive: false })
  element.addEventListener("pointerdown", down)
  element.addEventListener("pointermove", move)
  element.addEventListener("pointerup", up)
  element.addEventListener("pointercancel", up)
  return () => {
    element.removeEventListener("wheel", wheel)
    element.removeEventListener("pointerdown", down)
    element.removeEventListener("pointermove", move)
    element.removeEventListener("pointerup", up)
    element.removeEventListener("pointercancel", up)
  }
}

const unpin = (): void => {
  why.value = null
}

const STEPS: Record<string, Size> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** Arrow keys go from size to size, and on beyond the last in sight. */
function onKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-size]") : null
  const step = STEPS[event.key]
  if (event.key === "Home" && target) {
    event.preventDefault()
    showSmallest()
    focusSize(first.peek())
    return
  }
  if (!step || !target || event.altKey || event.ctrlKey) return
  event.preventDefault()
  const [width, height] = (target.dataset.size ?? "1x1").split("x").map(Number) as Size
  const far = event.shiftKey ? 5 : 1
  const to: Size = [Math.max(1, width + step[0] * far), Math.max(1, height + step[1] * far)]
  reveal(to)
  focusSize(to)
}

/** The size gets the focus when it is there. */
export function focusSize(size: Size): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-size="${sizeKey(size)}"]`)?.focus())
}


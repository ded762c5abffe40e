/** The strip of filters: a histogram of each measure with two handles. */
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../../../widgets/icons"
import { Button } from "../../../widgets/button"
import { aboutMeasure, measureName } from "../../../widgets/measure_text"
import { conditionOf, requireMeasure } from "../../../project/require_line"
import { isMap, work } from "../../../state/work"
import { greeting } from "../../../server/connection"
import { filterText, isOn, type Filter } from "./filters"
import { binCounts, highOf, withoutNoise, type Scale } from "../range/scale"
import { spreads } from "./value_spread"
import { setFilter, bounds, choose, dragged, filters, strip } from "../state"
import { numberText } from "../measure_words"

export function Strip() {
  const all = (greeting.value?.measures ?? []).map((one) => one.name)
  const free = all.filter((name) => !strip.value.includes(name))
  return (
    <div class="xp-strip" role="group" aria-label="Filters">
      {filters.value.map((filter, at) => (
        <FilterSlot key={at} filter={filter} at={at} free={free} />
      ))}
      {free.length > 0 && (
        <label class="xp-add" title="Filter by another measure">
          <Icon name="plus" />
          <select
            aria-label="Filter by another measure"
            value=""
            onChange={(event) => {
              choose({ strip: [...strip.peek(), event.currentTarget.value] })
              event.currentTarget.value = ""
            }}
          >
            <option value="" disabled>
              Filter by
            </option>
            {free.map((name) => (
              <option key={name} value={name}>
                {measureName(name)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

function FilterSlot({ filter, at, free }: { filter: Filter; at: number; free: string[] }) {
  const on = isOn(filter)
  const condition = work.value && !isMap(work.value) ? conditionOf(filter.low, filter.high) : null
  const clear = (): void => setFilter({ ...filter, low: null, high: null })
  const change = (to: string): void => {
    const { [filter.measure]: _, ...rest } = bounds.peek()
    bounds.value = rest
    const next = [...strip.peek()]
    if (to) next[at] = to
    else next.splice(at, 1)
    choose({ strip: next })
  }
  return (
    <section class={"xp-filter" + (on ? " on" : "")} aria-label={`Filter ${measureName(filter.measure)}`} title={aboutMeasure(filter.measure)}>
      <header>
        <label class="xp-filter-name">
          <span>{measureName(filter.measure)}</span>
          <Icon name="down" small />
          <select aria-label={`Measure of filter ${at + 1}`} value={filter.measure} onChange={(event) => change(event.currentTarget.value)}>
            {[filter.measure, ...free].map((name) => (
              <option key={name} value={name}>
                {measureName(name)}
              </option>
            ))}
            {strip.value.length > 1 && <option value="">Take this filter away</option>}
          </select>
        </label>
        <span class="gap" />
        <span class="xp-asked">{filterText(filter)}</span>
        {condition && (
          <Button small look="quiet" icon="check" label={`Require this: ${measureName(filter.measure)} ${filterText(filter)}`} onClick={() => requireMeasure(filter.measure, condition)} />
        )}
        {on && <Button small look="quiet" icon="cross" label={`Any ${measureName(filter.measure)}`} onClick={clear} />}
      </header>
      <Histogram filter={filter} onClear={clear} />
    </section>
  )
}

/** Where a handle stands, from 0 to 1. A whole number's high end stands behind it. */
const placeOf = (scale: Scale, value: number, end: boolean): number => Math.max(0, Math.min(1, (value + (end && scale.whole ? 1 : 0) - scale.low) / (scale.step * scale.bins)))

function Histogram({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const hand = useRef<{ end: boolean; scale: Scale } | null>(null)
  const release = (): void => {
    hand.current = null
    dragged.value = false
  }
  // If it is removed during a drag, the event that ends the drag never arrives.
  useEffect(() => release, [])
  const spread = spreads.value.get(filter.measure)
  // During a drag the scale stays the same, though more is measured.
  const scale = hand.current?.scale ?? spread?.scale
  if (!scale || !spread) return <div class="xp-histogram" ref={box} />
  const counts = binCounts(scale, spread.values)
  const most = Math.max(1, ...counts)
  const fine = scale.whole ? 1 : scale.step / 5
  const low = filter.low === null ? 0 : placeOf(scale, filter.low, false)
  const high = filter.high === null ? 1 : placeOf(scale, filter.high, true)

  /** Set an end to a value; at the end of the scale the filter is off. */
  const put = (end: boolean, value: number): void => {
    const tidied = withoutNoise(Math.round(value / fine) * fine)
    const last = scale.whole ? highOf(scale) - 1 : highOf(scale)
    if (end) setFilter({ ...filter, high: tidied >= last ? null : Math.max(tidied, filter.low ?? scale.low) })
    else setFilter({ ...filter, low: tidied <= scale.low ? null : Math.min(tidied, filter.high ?? last) })
  }
  const drag = (event: PointerEvent): void => {
    const place = box.current?.getBoundingClientRect()
    if (!event.buttons) release()
    if (!place || !hand.current) return
    const value = scale.low + ((event.clientX - place.left) / place.width) * scale.step * scale.bins
    put(hand.current.end, hand.current.end && scale.whole ? value - 1 : value)
  }
  const inside = (bin: number): boolean => {
    const from = scale.low + bin * scale.step
    return (filter.low === null || from + scale.step - (scale.whole ? 1 : 0) >= filter.low) && (filter.high === null || from <= filter.high)
  }
  const handle = (end: boolean) => {
    const value = end ? filter.high : filter.low
    const now = value ?? (end ? (scale.whole ? highOf(scale) - 1 : highOf(scale)) : scale.low)
    return (
      <span
        class="xp-handle"
        role="slider"
        tabIndex={0}
        aria-label={`${measureName(filter.measure)}, at ${end ? "most" : "least"}`}
        aria-valuemin={scale.low}
        aria-valuemax={highOf(scale)}
        aria-valuenow={now}
        aria-valuetext={value === null ? "any" : numberText(filter.measure, value)}
        style={{ left: `${(end ? high : low) * 100}%` }}
        onKeyDown={(event) => {
          const by = { ArrowRight: fine, ArrowUp: fine, ArrowLeft: -fine, ArrowDown: -fine, PageUp: scale.step, PageDown: -scale.step }[event.key]
          if (by !== undefined) put(end, now + by)
          else if (event.key === "Home") put(end, scale.low)
          else if (event.key === "End") put(end, highOf(scale))
          else if (event.key === "Delete" || event.key === "Backspace") onClear()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
    )
  }
  return (
    <div
      class="xp-histogram"
      ref={box}
      onPointerDown={(event) => {
        const place = box.current?.getBoundingClientRect()
        if (!place || event.button !== 0) return
        const at = (event.clientX - place.left) / place.width
        // The nearer handle; if both stand in one place, the one on the side of the pointer.
        hand.current = { end: Math.abs(at - high) < Math.abs(at - low) || (high === low && at > high), scale }
        dragged.value = true
        event.currentTarget.setPointerCapture(event.pointerId)
        drag(event)
      }}
      onPointerMove={drag}
      onLostPointerCapture={release}
      onDblClick={onClear}
    >
      <div class="xp-columns" aria-hidden="true">
        {counts.map((count, bin) => (
          <i key={bin} class={inside(bin) ? "" : "out"} style={{ height: count === 0 ? 0 : `${Math.max(6, (count / most) * 100)}%` }} />
        ))}
      </div>
      <div class="xp-track" aria-hidden="true">
        <i style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }} />
      </div>
      {handle(false)}
      {handle(true)}
    </div>
  )
}

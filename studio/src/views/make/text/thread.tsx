/** The thread: a line from the slider in use to its number in the text. It is drawn anew in every frame while something is held. */
import { useEffect, useRef } from "preact/hooks"
import { held } from "../parameters/held"

export function Thread() {
  const line = useRef<SVGPathElement>(null)
  const ends = [useRef<SVGCircleElement>(null), useRef<SVGCircleElement>(null)] as const
  const name = held.value
  useEffect(() => {
    if (!name) return
    let frame = 0
    let last = ""
    const draw = (): void => {
      frame = requestAnimationFrame(draw)
      const path = pathOf(name)
      const key = path ? path.d : ""
      if (key === last) return
      last = key
      line.current?.setAttribute("d", key)
      ends.forEach((end, at) => {
        const place = path?.ends[at]
        end.current?.setAttribute("cx", String(place?.[0] ?? -9))
        end.current?.setAttribute("cy", String(place?.[1] ?? -9))
      })
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [name])
  if (!name) return null
  return (
    <svg class="thread" aria-hidden="true">
      <path ref={line} />
      <circle ref={ends[0]} r="2.5" cx="-9" />
      <circle ref={ends[1]} r="2.5" cx="-9" />
    </svg>
  )
}

function pathOf(name: string): { d: string; ends: [number, number][] } | null {
  const view = document.querySelector(".make")
  const row = [...document.querySelectorAll<HTMLElement>("[data-turned]")].find((one) => one.dataset.turned === name)
  const from = row?.querySelector(".turned-value, .switch-track, .turned-choice, .turned-text")
  const pane = document.querySelector(".text-pane .editor")
  const pill = [...document.querySelectorAll<HTMLElement>(".text-pane [data-pill]")].find((one) => one.dataset.pill === name)
  if (!view || !from || !pane || !pill) return null
  const list = row?.closest(".turn-scroll")?.getBoundingClientRect()
  const origin = view.getBoundingClientRect()
  const a = from.getBoundingClientRect()
  const b = pill.getBoundingClientRect()
  const edge = pane.getBoundingClientRect()
  const y1 = a.top + a.height / 2
  const y2 = b.top + b.height / 2
  // An end that is scrolled away has no thread.
  if (y2 < edge.top || y2 > edge.bottom || (list && (y1 < list.top || y1 > list.bottom)) || edge.width === 0) return null
  const x1 = a.right + 4 - origin.left
  const x2 = edge.left + 8 - origin.left
  const [top, bottom] = [y1 - origin.top, y2 - origin.top]
  const bend = Math.max(10, (x2 - x1) * 0.9)
  return { d: `M${x1} ${top}C${x1 + bend} ${top} ${x2 - bend} ${bottom} ${x2} ${bottom}`, ends: [[x1, top], [x2, bottom]] }
}

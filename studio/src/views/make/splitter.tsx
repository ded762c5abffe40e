/** The line between two panels: drag it, or move it with arrow keys; two clicks set it back. The width is remembered. */
import { useRef } from "preact/hooks"

interface Props {
  label: string
  /** The panel to its right. */
  of: string
  low: number
  high: number
  /** 0 is the width of the style sheet. */
  onWidth: (width: number) => void
}

export function Splitter({ label, of, low, high, onWidth }: Props) {
  const line = useRef<HTMLDivElement>(null)
  const now = (): number => document.querySelector(of)?.getBoundingClientRect().width ?? low
  const to = (next: number): void => onWidth(Math.max(low, Math.min(high, Math.round(next))))
  return (
    <div
      ref={line}
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={line.current ? Math.round(now()) : low}
      aria-valuemin={low}
      aria-valuemax={high}
      tabIndex={0}
      data-arrows
      onDblClick={() => onWidth(0)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? 16 : event.key === "ArrowRight" ? -16 : 0
        if (!by) return
        event.preventDefault()
        to(now() + by)
      }}
      onPointerDown={(event) => {
        const element = event.currentTarget
        const from = event.clientX
        const first = now()
        element.setPointerCapture(event.pointerId)
        const move = (moved: PointerEvent): void => to(first + from - moved.clientX)
        const up = (): void => {
          element.removeEventListener("pointermove", move)
          element.removeEventListener("pointerup", up)
          element.removeEventListener("pointercancel", up)
        }
        element.addEventListener("pointermove", move)
        element.addEventListener("pointerup", up)
        element.addEventListener("pointercancel", up)
      }}
    />
  )
}

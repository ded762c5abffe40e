/** Mouse, touch, pen, wheel and keys on a map. A drag pans unless the tool takes it; two fingers or the wheel zoom; the middle button always pans. */
import type { MapView, Tool } from "./map_view"

export function listenToMap(map: MapView): void {
  const { canvas } = map
  const fingers = new Map<number, { x: number; y: number }>()
  let drag: { kind: "pan" | "tool" | "pinch"; x: number; y: number; far: boolean } | null = null
  /** The tool that took the drag: it ends it too, though another may be chosen by then. */
  let using: Tool | null = null
  const endTool = (event: PointerEvent): void => {
    const tool = using
    using = null
    tool?.end?.(event)
  }

  const pointOf = (event: MouseEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const setCursor = (): void => {
    canvas.style.cursor = drag?.kind === "pan" ? "grabbing" : (map.tool?.cursor ?? "grab")
  }

  canvas.addEventListener("pointerdown", (event) => {
    const at = pointOf(event)
    // The first finger. Events of fingers lifted while the map was not on the page never arrived, so old ones are dropped.
    if (event.isPrimary) {
      endTool(event)
      fingers.clear()
    }
    fingers.set(event.pointerId, at)
    // The focus ring is shown to keyboard users only.
    canvas.classList.add("by-pointer")
    canvas.setPointerCapture(event.pointerId)
    if (fingers.size === 2) {
      endTool(event)
      drag = { kind: "pinch", ...at, far: true }
      return
    }
    const cell = map.camera.cell(at.x, at.y)
    const { tool } = map
    const taken = event.button === 0 && cell !== null && (tool?.begin(cell, event) ?? false)
    using = taken ? tool : null
    drag = { kind: taken ? "tool" : "pan", ...at, far: false }
    setCursor()
  })

  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons) endPointer(event)
    const at = pointOf(event)
    const cell = map.camera.cell(at.x, at.y)
    const was = map.hovered.peek()
    if (cell?.[0] !== was?.[0] || cell?.[1] !== was?.[1]) {
      map.hovered.value = cell
      map.redraw()
    }
    const last = fingers.get(event.pointerId)
    if (!last || !drag) {
      setCursor()
      return
    }
    if (drag.kind === "pinch") {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
      if (other) {
        const before = Math.hypot(last.x - other.x, last.y - other.y)
        const now = Math.hypot(at.x - other.x, at.y - other.y)
        map.camera.pan((at.x - last.x) / 2, (at.y - last.y) / 2)
        if (before > 0) map.zoom(now / before, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })
      }
    } else if (drag.kind === "pan") {
      if (drag.far || Math.hypot(at.x - drag.x, at.y - drag.y) > 3) {
        drag.far = true
        map.pan(at.x - last.x, at.y - last.y)
      } else {
        setCursor()
        return // The last place stays the first, so that no movement is lost.
      }
    } else using?.move?.(cell, event)
    fingers.set(event.pointerId, at)
    setCursor()
  })

  const endPointer = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return
    const ended = drag
    if (ended?.kind !== "pinch" || fingers.size === 0) drag = null
    endTool(event)
    if (ended?.kind === "pan" && !ended.far && event.type === "pointerup" && event.button === 0) {
      const at = pointOf(event)
      const cell = map.camera.cell(at.x, at.y)
      if (cell) map.onClick?.(cell, event)
    }
    setCursor()
  }
  canvas.addEventListener("pointerup", endPointer)
  canvas.addEventListener("pointercancel", endPointer)
  // A canvas that is removed during a drag gets no more events; the document does.
  document.addEventListener("lostpointercapture", endPointer)
  canvas.addEventListener("pointerleave", () => {
    if (map.hovered.peek() && !drag) {
      map.hovered.value = null
      map.redraw()
    }
  })

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault()
      // A touchpad's two fingers pan; a wheel, or a pinch that the browser gives as a wheel with Ctrl, zooms.
      if (!event.ctrlKey && event.deltaMode === 0 && (event.deltaX !== 0 || Math.abs(event.deltaY) < 40)) map.pan(-event.deltaX, -event.deltaY)
      else map.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : event.ctrlKey ? 0.01 : 0.0016)), pointOf(event))
    },
    { passive: false },
  )

  const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = STEPS[event.key]
    if (step) {
      const far = event.shiftKey ? 8 : 1
      map.moveCursor(step[0] * far, step[1] * far)
    } else if (event.key === "Enter") {
      const at = map.cursor.peek()
      if (!at) return
      map.onEnter?.(at, event)
    } else return
    event.preventDefault()
    event.stopPropagation()
  })
  canvas.addEventListener("focus", () => map.redraw())
  canvas.addEventListener("blur", () => {
    canvas.classList.remove("by-pointer")
    map.redraw()
  })
}

/** A map as an element. It fills its parent, and announces the cell under its cursor to screen readers. */
import { useSignal, useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { MapView } from "./map_view"

interface Props {
  map: MapView
  label: string
  /** The text that is announced for a cell. */
  speak?: (at: [number, number]) => string
  /** Room to leave free when the map fits. */
  margin?: { top: number; right: number; bottom: number; left: number }
}

export function MapCanvas({ map, label, speak, margin }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const spoken = useSignal("")

  useEffect(() => {
    const parent = holder.current
    if (!parent) return
    const { canvas } = map
    canvas.tabIndex = 0
    canvas.className = "map-canvas"
    canvas.setAttribute("role", "application")
    canvas.setAttribute("aria-roledescription", "map")
    parent.prepend(canvas)
    const watcher = new ResizeObserver(() => map.resizeCanvas(parent.clientWidth, parent.clientHeight))
    watcher.observe(parent)
    return () => {
      watcher.disconnect()
      canvas.remove()
    }
  }, [map])
  useEffect(() => {
    map.canvas.setAttribute("aria-label", label)
  }, [map, label])
  const { top, right, bottom, left } = margin ?? map.camera.margin
  useEffect(() => {
    const fits = map.camera.fits
    map.camera.margin = { top, right, bottom, left }
    if (fits) map.fit()
  }, [map, top, right, bottom, left])
  useSignalEffect(() => {
    const at = map.cursor.value
    if (at && speak) spoken.value = speak(at)
  })

  return (
    <div class="map-holder" ref={holder}>
      <div class="unseen" role="status" aria-live="polite">
        {spoken}
      </div>
    </div>
  )
}

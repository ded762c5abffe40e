/** The width of an element, as it changes. */
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"

export function useWidth(first: number): [RefObject<HTMLElement | null>, number] {
  const holder = useRef<HTMLElement>(null)
  const width = useSignal(first)
  useEffect(() => {
    const box = holder.current
    if (!box) return
    const watcher = new ResizeObserver(() => (width.value = box.clientWidth))
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [])
  return [holder, width.value]
}

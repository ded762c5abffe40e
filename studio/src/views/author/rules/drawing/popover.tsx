/** A small box that a button opens beside itself. Esc, or a press anywhere else, closes it. */
import type { ComponentChildren } from "preact"
import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

interface Props {
  label: string
  button: ComponentChildren
  class?: string
  children: (close: () => void) => ComponentChildren
  /** Where it lies: under the button, or beside it. */
  side?: "under" | "beside"
  title?: string
}

export function Popover({ label, button, class: more, children, side = "under", title }: Props) {
  const open = useSignal(false)
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open.value) return
    const away = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) open.value = false
    }
    addEventListener("pointerdown", away, true)
    box.current?.querySelector<HTMLElement>(".ar-pop [autofocus], .ar-pop input, .ar-pop button")?.focus({ preventScroll: true })
    return () => removeEventListener("pointerdown", away, true)
  }, [open.value])
  // It is fixed to the page, since panels that scroll would cut it; and it stays on the page.
  useLayoutEffect(() => {
    const pop = box.current?.querySelector<HTMLElement>(".ar-pop")
    const from = opener.current?.getBoundingClientRect()
    if (!open.value || !pop || !from) return
    const x = side === "under" ? from.right - pop.offsetWidth : from.right + 10
    const y = side === "under" ? from.bottom + 6 : from.top - 12
    pop.style.left = `${Math.max(8, Math.min(innerWidth - pop.offsetWidth - 8, x))}px`
    pop.style.top = `${Math.max(56, Math.min(innerHeight - pop.offsetHeight - 8, y))}px`
  }, [open.value])
  const close = (): void => {
    open.value = false
    opener.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={box} class={"ar-popper" + (more ? " " + more : "")}>
      <button ref={opener} type="button" class="ar-pop-button" aria-haspopup="dialog" aria-expanded={open.value} aria-label={label} title={title ?? label} onClick={() => (open.value = !open.value)}>
        {button}
      </button>
      {open.value && (
        <div
          class="ar-pop float"
          role="dialog"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.stopPropagation()
              event.preventDefault()
              close()
            }
          }}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}

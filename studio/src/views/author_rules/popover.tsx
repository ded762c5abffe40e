/** A small box that a button opens beside itself. Esc, or a press anywhere else, closes it. */
import type { ComponentChildren } from "preact"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"

interface Props {
  label: string
  button: ComponentChildren
  class?: string
  children: (close: () => void) => ComponentChildren
  /** Where it lies: under the button's left or right end. */
  side?: "left" | "right"
  title?: string
}

export function Popover({ label, button, class: more, children, side = "left", title }: Props) {
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
          class={"ar-pop float " + side}
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

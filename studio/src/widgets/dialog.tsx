/** A dialog over the page. The browser's own element: it keeps the focus inside and closes with Esc. */
import { createContext, type ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "./button"

interface Props {
  label: string
  /** Shown in the head; left out if the dialog brings its own. */
  title?: ComponentChildren
  aside?: ComponentChildren
  class?: string
  onClose: () => void
  children: ComponentChildren
}

/** Whether a component is part of a dialog. */
export const InDialog = createContext(false)

export function Dialog({ label, title, aside, class: more, onClose, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  // Before the next key press: what is typed at once must not reach the page below.
  useLayoutEffect(() => {
    const element = box.current
    const before = document.activeElement
    if (element && !element.open) element.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={box}
      class={"dialog" + (more ? " " + more : "")}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === box.current) onClose()
      }}
    >
      <div class="dialog-inner">
        {title !== undefined && (
          <header class="dialog-head">
            <h2>{title}</h2>
            <span class="gap" />
            {aside}
            <Button icon="cross" label="Close" look="quiet" onClick={onClose} />
          </header>
        )}
        <InDialog.Provider value={true}>{children}</InDialog.Provider>
      </div>
    </dialog>
  )
}

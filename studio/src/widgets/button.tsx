/** Buttons, key caps and chips. */
import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./icons"

interface ButtonProps {
  icon?: IconName
  /** What it does, for screen readers and as a tooltip; needed if there is no text. */
  label?: string
  keys?: string[]
  /** Amber: the one main action. Quiet: no edge. */
  look?: "main" | "quiet"
  small?: boolean
  pressed?: boolean
  disabled?: boolean
  class?: string
  onClick?: (event: MouseEvent) => void
  children?: ComponentChildren
}

export function Button({ icon, label, keys, look, small, pressed, disabled, class: more, onClick, children }: ButtonProps) {
  const names = ["button", look ?? "", small ? "small" : "", children === undefined ? "square" : "", pressed ? "on" : "", more ?? ""]
  const tip = label ? (keys && children === undefined ? `${label} (${keys.join(" ")})` : label) : undefined
  return (
    <button type="button" class={names.filter(Boolean).join(" ")} aria-label={label} title={tip} aria-pressed={pressed} disabled={disabled} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {children}
      {keys && children !== undefined && <DrawnKeys of={keys} />}
    </button>
  )
}

const keyCap = (key: string): string => (key.length === 1 ? key.toUpperCase() : key)

export function Keys({ of }: { of: readonly string[] }) {
  return (
    <span class="keys" aria-hidden="true">
      {of.map((key) => (
        <kbd key={key}>{keyCap(key)}</kbd>
      ))}
    </span>
  )
}

/** Keys on a button, drawn by the style sheet: they are no part of what the button says. */
function DrawnKeys({ of }: { of: readonly string[] }) {
  return (
    <span class="keys" aria-hidden="true">
      {of.map((key) => (
        <kbd key={key} data-key={keyCap(key)} />
      ))}
    </span>
  )
}

interface ChipProps {
  on?: boolean
  tone?: "ok" | "bad" | "accent"
  icon?: IconName
  /** The dot of an overlay, in its colour. */
  dot?: string
  label?: string
  keys?: string[]
  onClick?: () => void
  children: ComponentChildren
}

/** A filter, an overlay, a verdict. With `onClick` it is a button that is on or off. */
export function Chip({ on, tone, icon, dot, label, keys, onClick, children }: ChipProps) {
  const names = ["chip", on ? "on" : "", tone ?? ""].filter(Boolean).join(" ")
  const inner = (
    <>
      {dot !== undefined && <span class={"dot" + (on ? "" : " hollow")} style={{ background: on ? dot : "transparent" }} />}
      {icon && <Icon name={icon} small />}
      {children}
      {keys && <DrawnKeys of={keys} />}
    </>
  )
  if (!onClick) return <span class={names}>{inner}</span>
  return (
    <button type="button" class={names} aria-pressed={on ?? false} aria-label={label} onClick={onClick}>
      {inner}
    </button>
  )
}

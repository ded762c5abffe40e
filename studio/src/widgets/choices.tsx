/** Controls that set a value: segmented control, switch, slider, stepper, menu, search box. */
import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { Icon } from "./icons"
import { LineInput } from "./line_input"

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; title: ComponentChildren; label?: string }[]
  onChange: (value: T) => void
  small?: boolean
  class?: string
}

/** One of a few. Arrow keys move the choice, as with radio buttons. */
export function Segmented<T extends string>({ label, value, options, onChange, small, class: more }: SegmentedProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const step = (by: number): void => {
    const at = options.findIndex((option) => option.value === value)
    const next = options[(at + by + options.length) % options.length]
    if (!next) return
    onChange(next.value)
    const buttons = box.current?.querySelectorAll("button")
    buttons?.[options.indexOf(next)]?.focus()
  }
  return (
    <div
      ref={box}
      class={"segmented" + (small ? " small" : "") + (more ? " " + more : "")}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        step(by)
      }}
    >
      {options.map((option, at) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          aria-label={option.label}
          title={option.label}
          tabIndex={option.value === value || (at === 0 && !options.some((one) => one.value === value)) ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.title}
        </button>
      ))}
    </div>
  )
}

interface SwitchProps {
  label: string
  value: boolean
  onChange: (value: boolean) => void
  disabled?: boolean
  /** The label is shown beside it elsewhere. */
  bare?: boolean
}

export function Switch({ label, value, onChange, disabled, bare }: SwitchProps) {
  return (
    <button type="button" class={"switch" + (bare ? " bare" : "")} role="switch" aria-checked={value} aria-label={label} disabled={disabled} onClick={() => onChange(!value)}>
      {!bare && <span class="switch-label">{label}</span>}
      <span class="switch-track" aria-hidden="true" />
    </button>
  )
}

interface SliderProps {
  label: string
  value: number
  low: number
  high: number
  step: number
  /** As the screen reader says it. */
  said?: string
  /** While dragged. */
  onInput: (value: number) => void
  /** At the end of a drag. */
  onDone?: () => void
  onHold?: (held: boolean) => void
  id?: string
}

export function Slider({ label, value, low, high, step, said, onInput, onDone, onHold, id }: SliderProps) {
  const share = high > low ? ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * 100 : 0
  return (
    <input
      id={id}
      class="slider"
      type="range"
      aria-label={label}
      aria-valuetext={said}
      min={low}
      max={high}
      step={step}
      value={value}
      style={{ "--share": share + "%" }}
      onInput={(event) => onInput(Number(event.currentTarget.value))}
      onChange={() => onDone?.()}
      onPointerDown={() => onHold?.(true)}
      onPointerUp={() => onHold?.(false)}
      onPointerCancel={() => onHold?.(false)}
      onFocus={() => onHold?.(true)}
      onBlur={() => onHold?.(false)}
    />
  )
}

interface StepperProps {
  label: string
  value: number
  low?: number
  high?: number
  onChange: (value: number) => void
}

export function Stepper({ label, value, low = -Infinity, high = Infinity, onChange }: StepperProps) {
  const setClamped = (next: number): void => {
    if (Number.isFinite(next)) onChange(Math.max(low, Math.min(high, next)))
  }
  return (
    <div class="stepper" role="group" aria-label={label}>
      <button type="button" aria-label={`${label}: less`} disabled={value <= low} onClick={() => setClamped(value - 1)}>
        <Icon name="minus" />
      </button>
      <LineInput inputMode="numeric" aria-label={label} value={value} onTake={(written) => written.trim() && setClamped(Number(written))} onStep={setClamped} />
      <button type="button" aria-label={`${label}: more`} disabled={value >= high} onClick={() => setClamped(value + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  )
}

interface MenuProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; title: string }[]
  onChange: (value: T) => void
  small?: boolean
}

/** One of many: the browser's own list, since it works everywhere and is read aloud. */
export function Menu<T extends string>({ label, value, options, onChange, small }: MenuProps<T>) {
  return (
    <span class={"menu" + (small ? " small" : "")}>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </span>
  )
}

interface SearchProps {
  label: string
  value: string
  onInput: (value: string) => void
  small?: boolean
  onEnter?: () => void
}

export function Search({ label, value, onInput, small, onEnter }: SearchProps) {
  const id = useId()
  return (
    <label class={"field search" + (small ? " small" : "")} for={id}>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        placeholder={label}
        aria-label={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter?.()
          if (event.key === "Escape" && value) {
            event.stopPropagation()
            event.preventDefault()
            onInput("")
          }
        }}
      />
    </label>
  )
}

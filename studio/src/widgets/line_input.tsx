/**
 * A line of text that is committed as a whole: with Enter, on blur, or when the file is saved; Escape discards it.
 *
 * Text that is being typed is kept when the page renders again, as it does whenever the server answers.
 */
import { useSignal } from "@preact/signals"

interface Props {
  value: string | number
  onTake: (text: string) => void
  /** For numbers: the next one, by the arrows up and down. */
  onStep?: ((to: number) => void) | undefined
  onFocus?: () => void
  class?: string
  "aria-label"?: string
  placeholder?: string | undefined
  maxLength?: number
  inputMode?: "numeric" | "decimal"
}

export function LineInput({ value, onTake, onStep, ...rest }: Props) {
  const writing = useSignal<string | null>(null)
  const commit = (): void => {
    const text = writing.peek()
    writing.value = null
    if (text !== null && text !== String(value)) onTake(text)
  }
  return (
    <input
      type="text"
      {...rest}
      value={writing.value ?? value}
      onInput={(event) => (writing.value = event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur()
        else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") commit() // what is saved has it
        else if (event.key === "Escape" && writing.peek() !== null) {
          event.stopPropagation()
          writing.value = null
        } else if (onStep && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
          event.preventDefault()
          const to = Number(event.currentTarget.value) + (event.key === "ArrowUp" ? 1 : -1)
          writing.value = null
          if (Number.isFinite(to)) onStep(to)
        }
      }}
    />
  )
}

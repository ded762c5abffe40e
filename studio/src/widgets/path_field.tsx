/** What dialogs that save have in common: a field for the file's name, and a word on what went wrong. */
import type { Problem } from "../server/protocol"
import { Icon } from "./icons"

export function PathField({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  return (
    <label class="field">
      <Icon name="folder" />
      <input class="mono" type="text" aria-label="File in the project folder" autofocus value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      <span class="quiet">in the project</span>
    </label>
  )
}

export function Trouble({ problem }: { problem: Problem }) {
  const fix = problem.fix ? `. ${problem.fix.charAt(0).toUpperCase()}${problem.fix.slice(1)}.` : ""
  return (
    <p class="open-problem" role="alert">
      <Icon name="warn" />
      <span>{problem.problem + fix}</span>
    </p>
  )
}

/** The command palette: type a few letters, Enter. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { commands, matchingCommands, type Command } from "./commands"
import { Keys } from "../widgets/button"
import { Dialog } from "../widgets/dialog"
import { Icon } from "../widgets/icons"
import { openLink } from "../project/works"
import { isLink } from "../state/link"
import { say } from "../state/navigation"

/** A link that was pasted instead of a name. */
const openPasted = (link: string): Command => ({ label: "Open this link", run: () => void openLink(link).then((failed) => failed && say(failed)) })

export function Palette({ onClose }: { onClose: () => void }) {
  const query = useSignal("")
  const at = useSignal(0)
  const list = useRef<HTMLUListElement>(null)
  const rows = isLink(query.value) ? [openPasted(query.value)] : matchingCommands(commands(), query.value).slice(0, 60)
  const chosen = Math.min(at.value, Math.max(0, rows.length - 1))
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen])
  const runChosen = (which: number): void => {
    const command = rows[which]
    if (!command) return
    onClose()
    // After the dialog has given the focus back.
    setTimeout(command.run)
  }
  return (
    <Dialog label="Commands" class="palette" onClose={onClose}>
      <label class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={rows.length ? `command-${chosen}` : undefined}
          aria-label="Find a command, a recipe, a style"
          placeholder="Find a command, a recipe, a style"
          autofocus
          value={query}
          onInput={(event) => {
            query.value = event.currentTarget.value
            at.value = 0
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") at.value = Math.min(rows.length - 1, chosen + 1)
            else if (event.key === "ArrowUp") at.value = Math.max(0, chosen - 1)
            else if (event.key === "Enter") runChosen(chosen)
            else return
            event.preventDefault()
          }}
        />
      </label>
      <ul id="palette-list" ref={list} role="listbox" aria-label="Commands">
        {rows.map((command, which) => (
          <li key={command.label + (command.kind ?? "")} id={`command-${which}`} role="option" aria-selected={which === chosen} onPointerMove={() => (at.value = which)} onClick={() => runChosen(which)}>
            <span>{command.label}</span>
            {command.kind && <span class="quiet">{command.kind}</span>}
            <span class="gap" />
            {command.keys && <Keys of={command.keys} />}
          </li>
        ))}
        {rows.length === 0 && <li class="none">Nothing is called that.</li>}
      </ul>
    </Dialog>
  )
}

/** The catalogue: all that a text can say, with a search and the help of each; a press writes it. */
import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../../widgets/button"
import { Search } from "../../widgets/choices"
import { Dialog } from "../../widgets/dialog"
import type { Entry, Group } from "./entries"
import { loadVocabulary, vocabulary } from "./facts"
import { EntryHelp } from "./help"

const TITLES: Partial<Record<Group, string>> = { step: "Steps", measure: "Measures", parameter: "Parameters", tile: "Tiles", table: "Tables", word: "Words" }

interface Props {
  entries: () => Entry[]
  onTake: (entry: Entry) => void
  onClose: () => void
}

export function Catalogue({ entries, onTake, onClose }: Props) {
  const query = useSignal("")
  const chosen = useSignal(0)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => void loadVocabulary(), [])
  useLayoutEffect(() => box.current?.querySelector("input")?.focus(), [])
  const typed = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (vocabulary.value ? entries() : []).filter((one) => typed.every((word) => `${one.label} ${one.about} ${one.group}`.toLowerCase().includes(word)))
  const at = Math.min(chosen.value, found.length - 1)
  const entry = found[at]
  const take = (): void => {
    if (!entry) return
    onClose()
    onTake(entry)
  }
  return (
    <Dialog label="Catalogue" title="Catalogue" class="words-catalogue" onClose={onClose}>
      <div
        ref={box}
        class="words-all"
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
          if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) take()
          else if (by !== undefined) chosen.value = Math.max(0, Math.min(found.length - 1, at + by))
          else return
          event.preventDefault()
        }}
      >
        <Search label="Find a word" value={query.value} onInput={(value) => { query.value = value; chosen.value = 0 }} />
        <div class="words-list" role="listbox" aria-label="Words" tabIndex={0} aria-activedescendant={`word-${at}`}>
          {found.map((one, index) => (
            <div key={`${one.group} ${one.label} ${index}`} role="group" aria-label={TITLES[one.group]}>
              {one.group !== found[index - 1]?.group && (
                <h3 class="caption" aria-hidden="true">
                  {TITLES[one.group]}
                </h3>
              )}
              <div id={`word-${index}`} class="words-row" role="option" aria-selected={index === at} ref={(row) => { if (index === at) row?.scrollIntoView({ block: "nearest" }) }} onClick={() => (chosen.value = index)} onDblClick={take}>
                <i class={"words-sign " + one.group} aria-hidden="true" />
                <span class="mono">{one.label}</span>
              </div>
            </div>
          ))}
          {vocabulary.value && found.length === 0 && <p class="second">No word is called that.</p>}
        </div>
        <div class="words-help">
          {entry && <EntryHelp of={entry} />}
          {entry && (
            <Button look="main" onClick={take}>
              Write it
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

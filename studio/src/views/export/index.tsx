/** Export: every format and style, several at once, with the command that does the same. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { sentence } from "../../editor/problem_text"
import { Button } from "../../widgets/button"
import { Search } from "../../widgets/choices"
import { Dialog } from "../../widgets/dialog"
import { Icon } from "../../widgets/icons"
import type { FormatCard } from "../../server/protocol"
import { level } from "../../state/level"
import { say } from "../../state/navigation"
import { cardOf, cards, COLUMNS, underline } from "./format_cards"
import { current, outputs, source, stem, suitsFormat, tick, ticked } from "./choices"
import { command } from "./command"
import { sizeText } from "./file_words"
import { Details } from "./details"
import { fetchLosses, losses } from "./losses"
import { busy, copyText, done, exportAll, print, problem } from "./write_files"
import { watched } from "./watched_files"

const query = signal("")

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const now = level.value
  useEffect(() => {
    problem.value = null
    done.value = null
    query.value = ""
  }, [])
  useEffect(() => void fetchLosses(), [now?.number])
  if (!now)
    return (
      <Dialog label="Export" title="Export" class="exp-empty" onClose={onClose}>
        <p class="dialog-body">There is no level yet. Open a recipe, and what it makes can be exported in every format.</p>
      </Dialog>
    )
  const card = cardOf(current.value) ?? cards.value[0]
  return (
    <Dialog
      label="Export"
      title={
        <>
          Export{" "}
          <span class="exp-what">
            {[now.head.title, now.head.recipe, `seed ${now.head.seed}`].filter((word, at, all) => word && all.indexOf(word) === at).join(", ")}
          </span>
        </>
      }
      class="export-dialog"
      aside={<Search small label="Find a format" value={query.value} onInput={(value) => (query.value = value)} onEnter={chooseFirst} />}
      onClose={onClose}
    >
      <div class="exp-body" onCopy={onCopy}>
        <Formats />
        {card && <Details card={card} />}
      </div>
      <Outcome />
      <Foot />
    </Dialog>
  )
}

/** Ctrl C copies the map, unless something else is selected. */
function onCopy(event: ClipboardEvent): void {
  if (getSelection()?.toString() || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  void copyText(cardOf(current.peek()))
}

const matches = (card: FormatCard): boolean => {
  const text = `${card.title} ${card.name} ${card.about} ${card.suffixes.join(" ")} ${card.tested}`.toLowerCase()
  return query.value.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}

function chooseFirst(): void {
  const first = cards.peek().find(matches)
  if (first) current.value = first.name
}

function Formats() {
  const none = !cards.value.some(matches)
  return (
    <div class="exp-formats">
      {none && <p class="second">No format is called that.</p>}
      {COLUMNS.map((column, at) => (
        <div key={at}>
          {column.map(({ title, group }) => {
            const rows = cards.value.filter((card) => card.group === group && matches(card))
            if (rows.length === 0) return null
            return (
              <section key={group} aria-label={title}>
                <h3>{title}</h3>
                <ul>
                  {rows.map((card) => (
                    <Row key={card.name} card={card} />
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function Row({ card }: { card: FormatCard }) {
  const under = underline(card)
  const refused = losses.value?.refused[card.name]
  const lost = losses.value?.losses[card.name]?.length ?? 0
  const on = ticked.value.includes(card.name)
  return (
    <li class={"exp-row" + (current.value === card.name ? " on" : "")}>
      <input
        type="checkbox"
        aria-label={`Export ${card.title}`}
        checked={on}
        disabled={refused !== undefined && !on}
        onChange={(event) => {
          tick(card.name, event.currentTarget.checked)
          current.value = card.name
        }}
      />
      <button
        type="button"
        aria-pressed={current.value === card.name}
        onClick={() => {
          current.value = card.name
          if (on || refused === undefined) tick(card.name, !on)
        }}
      >
        <span class="exp-name">
          {card.title}
          {watched.value.has(card.name) && <i class="exp-live" title="Kept up to date" />}
        </span>
        <span class="exp-suffix">{card.suffixes.join(" ")}</span>
        <span class={"exp-under" + (under.warn ? " warn" : "")} title={refused ?? under.text}>
          {refused ? sentence(refused) : under.text}
          {!refused && lost > 0 && on ? `; drops ${lost === 1 ? "one part" : `${lost} parts`}` : ""}
        </span>
      </button>
    </li>
  )
}

/** What came of it, or why nothing did. */
function Outcome() {
  const over = problem.value?.changed
  if (problem.value)
    return (
      <div class="exp-outcome bad" role="alert">
        <Icon name="warn" />
        <span>
          <b>{sentence(problem.value.problem)}</b> {problem.value.fix && sentence(problem.value.fix)}
        </span>
        {over && (
          <>
            <span class="gap" />
            <Button small disabled={busy.value !== ""} onClick={() => void exportAll(over)}>
              {Object.keys(over).length === 1 ? "Write over it" : "Write over them"}
            </Button>
          </>
        )}
      </div>
    )
  if (!done.value) return null
  return (
    <div class="exp-outcome" role="status">
      <Icon name="check" />
      <ul>
        {done.value.map((row) => (
          <li key={row.path}>
            <span class="mono">{row.path}</span>, {sizeText(row.bytes)}
            {row.dropped.length > 0 && <span class="accent">, without {row.dropped.join(", ")}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Foot() {
  const from = source.value
  const files = outputs.value
  const told = from ? command(from, files, stem.value) : { text: "", note: "" }
  const good = files.length > 0 && files.every(({ card, output }) => suitsFormat(card, output.path)) && new Set(files.map((one) => one.output.path)).size === files.length
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(told.text)
      say("Copied the command")
    } catch {
      say("The browser does not let this page write to the clipboard")
    }
  }
  return (
    <footer class="exp-foot">
      <div class="field exp-command" title={told.note || told.text}>
        <input class="mono" type="text" readOnly aria-label="The command that writes the same files" value={told.text} onFocus={(event) => event.currentTarget.select()} />
        {told.note && (
          <span class="exp-note" role="note" aria-label={told.note}>
            <Icon name="warn" />
          </span>
        )}
        <Button small icon="copy" label="Copy the command" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <Button icon="text" label="Copy the map as text" onClick={() => void copyText(cardOf(current.peek()))} />
      <Button icon="print" onClick={() => void print()}>
        Print
      </Button>
      <Button look="main" icon="export" disabled={!good || busy.value !== ""} onClick={() => void exportAll()}>
        {busy.value ? `${busy.value} …` : files.length === 1 ? "Export 1 file" : `Export ${files.length} files`}
      </Button>
    </footer>
  )
}

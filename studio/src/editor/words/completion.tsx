/**
 * Completion and help in a text editor: Ctrl Space lists what may stand at the cursor, F1 and the pointer explain the word there.
 *
 *   words({ place: (text, at) => ..., help: (text, at) => ..., load, want })
 *
 * When an answer of the server arrives, an open list is filled.
 */
import { effect } from "@preact/signals"
import { Prec, StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state"
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view"
import { render } from "preact"
import { matching, type Entry, type WordPlace } from "./entries"
import { EntryHelp } from "./help"
import { lists, vocabulary } from "./facts"
import { dependOn } from "../../state/depend_on"

export interface WordSource {
  place: (text: string, at: number) => WordPlace | null
  help: (text: string, at: number) => { from: number; to: number; entry: Entry } | null
  /** Asks the server for the vocabulary. */
  load: () => Promise<void>
  /** Asks the server for a list of choices. */
  want: (list: string) => void
}

interface Shown {
  from: number
  to: number
  /** Of a list; a help box has one entry. */
  entries: Entry[]
  chosen: number
  kind: "list" | "help"
}

const show = StateEffect.define<Shown | null>()
const shown = StateField.define<Shown | null>({
  create: () => null,
  update(value, change) {
    for (const one of change.effects) if (one.is(show)) return one.value
    return value && change.docChanged ? (value.kind === "help" ? null : { ...value, from: change.changes.mapPos(value.from, -1), to: change.changes.mapPos(value.to, 1) }) : value
  },
  provide: (field) =>
    EditorView.contentAttributes.from(field, (value) => ({
      "aria-autocomplete": "list",
      ...(value?.kind === "list" && value.entries.length ? { "aria-controls": LIST, "aria-activedescendant": `${LIST}-${value.chosen}` } : {}),
    })),
})

const LIST = "editor-words"
const HOVER_MS = 350
const LEAVE_MS = 150

/** The list for the cursor now, the same entry still chosen; null if no word can stand there. */
function listAt(state: EditorState, source: WordSource, before: Shown | null): Shown | null {
  const at = state.selection.main.head
  const place = source.place(state.doc.toString(), at)
  if (!place || (before && place.from !== before.from)) return null
  if (place.wants && !before) source.want(place.wants)
  const entries = matching(place.entries, state.sliceDoc(place.from, at))
  const label = before?.entries[before.chosen]?.label
  return { kind: "list", from: place.from, to: place.to, entries, chosen: Math.max(0, entries.findIndex((entry) => entry.label === label)) }
}

/** Lists the words for the cursor; asks the server first if nothing is known yet. */
async function openWords(view: EditorView, source: WordSource): Promise<void> {
  await source.load()
  if (!view.dom.isConnected || !vocabulary.peek()) return
  view.focus()
  view.dispatch({ effects: show.of(listAt(view.state, source, null)) })
}

async function openHelp(view: EditorView, source: WordSource): Promise<void> {
  await source.load()
  if (!view.dom.isConnected) return
  const found = source.help(view.state.doc.toString(), view.state.selection.main.head)
  view.dispatch({ effects: show.of(found && { kind: "help", from: found.from, to: found.to, entries: [found.entry], chosen: 0 }) })
}

function accept(view: EditorView, at?: number): boolean {
  const now = view.state.field(shown)
  const entry = now?.entries[at ?? now.chosen]
  if (!now || now.kind !== "list" || !entry) return false
  const text = entry.insert ?? entry.label
  // The cursor goes between quotes that wait for a word.
  const inside = text.endsWith('""') ? 1 : 0
  view.dispatch({ changes: { from: now.from, to: now.to, insert: text }, selection: { anchor: now.from + text.length - inside }, effects: show.of(null), scrollIntoView: true, userEvent: "input.complete" })
  view.focus()
  return true
}

function step(view: EditorView, by: number): boolean {
  const now = view.state.field(shown)
  if (now?.kind !== "list" || now.entries.length === 0) return false
  const chosen = (now.chosen + by + now.entries.length) % now.entries.length
  view.dispatch({ effects: show.of({ ...now, chosen }) })
  return true
}

const close = (view: EditorView): boolean => {
  if (!view.state.field(shown)) return false
  view.dispatch({ effects: show.of(null) })
  return true
}

function Box({ of, take }: { of: Shown; take: (at: number) => void }) {
  const entry = of.entries[of.chosen]
  if (of.kind === "help" && entry) return <div class="words-help"><EntryHelp of={entry} /></div>
  return (
    <>
      <ul id={LIST} role="listbox" aria-label="Words">
        {of.entries.map((one, at) => (
          <li
            key={one.label}
            id={`${LIST}-${at}`}
            role="option"
            aria-selected={at === of.chosen}
            ref={(row) => { if (at === of.chosen) row?.scrollIntoView({ block: "nearest" }) }}
            onMouseDown={(event) => {
              event.preventDefault()
              take(at)
            }}
          >
            <i class={"words-sign " + one.group} aria-hidden="true" />
            <span class="mono">{one.label}</span>
          </li>
        ))}
      </ul>
      {of.entries.length === 0 && <p class="words-none">Nothing begins so here.</p>}
      {entry && <div class="words-help" aria-live="polite"><EntryHelp of={entry} /></div>}
    </>
  )
}

class WordBox {
  private readonly box = document.createElement("div")
  private readonly stop: () => void
  private gone = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private leaving: ReturnType<typeof setTimeout> | undefined

  constructor(readonly view: EditorView, readonly source: WordSource) {
    this.box.className = "words-box float"
    // The editor keeps the focus; and the pointer can go into a help box, to scroll it.
    this.box.onmousedown = (event) => event.preventDefault()
    this.box.onmouseenter = () => clearTimeout(this.leaving)
    this.box.onmouseleave = this.onLeave
    // An answer of the server fills the list that is open.
    this.stop = effect(() => {
      dependOn(vocabulary.value, lists.value)
      queueMicrotask(() => this.refresh())
    })
    view.dom.addEventListener("mousemove", this.onMove)
    view.dom.addEventListener("mouseleave", this.onLeave)
    view.scrollDOM.addEventListener("scroll", this.onScroll)
  }

  update(update: ViewUpdate): void {
    const now = update.state.field(shown)
    if (now?.kind === "list" && (update.docChanged || update.selectionSet)) queueMicrotask(() => this.refresh())
    else if (now && update.focusChanged && !update.view.hasFocus) queueMicrotask(() => close(this.view))
    if (now !== update.startState.field(shown)) this.draw(now)
  }

  destroy(): void {
    this.gone = true
    this.stop()
    clearTimeout(this.timer)
    clearTimeout(this.leaving)
    this.view.dom.removeEventListener("mousemove", this.onMove)
    this.view.dom.removeEventListener("mouseleave", this.onLeave)
    this.view.scrollDOM.removeEventListener("scroll", this.onScroll)
    this.draw(null)
  }

  /** The list for where the cursor is now. */
  private refresh(): void {
    const now = this.gone ? null : this.view.state.field(shown, false)
    if (now?.kind === "list") this.view.dispatch({ effects: show.of(listAt(this.view.state, this.source, now)) })
  }

  private draw(now: Shown | null): void {
    if (!now) {
      render(null, this.box)
      this.box.remove()
      return
    }
    render(<Box of={now} take={(at) => accept(this.view, at)} />, this.box)
    document.body.append(this.box)
    this.view.requestMeasure({
      key: this,
      read: (view) => ({ at: view.coordsAtPos(now.from), width: this.box.offsetWidth, height: this.box.offsetHeight }),
      write: ({ at, width, height }) => {
        if (!at) return
        const below = at.bottom + 4 + height <= innerHeight - 8
        this.box.style.left = `${Math.max(8, Math.min(at.left - 8, innerWidth - width - 8))}px`
        this.box.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`
      },
    })
  }

  private readonly onMove = (event: MouseEvent): void => {
    clearTimeout(this.timer)
    const now = this.view.state.field(shown)
    if (event.buttons || now?.kind === "list") return
    const at = this.view.posAtCoords({ x: event.clientX, y: event.clientY })
    clearTimeout(this.leaving)
    if (now && (at === null || at < now.from || at > now.to)) this.onLeave()
    if (at === null || now || !(event.target instanceof Element) || !event.target.closest(".cm-line")) return
    this.timer = setTimeout(() => void this.explain(at, event.clientX), HOVER_MS)
  }

  private async explain(at: number, x: number): Promise<void> {
    await this.source.load()
    if (!this.view.dom.isConnected || this.view.state.field(shown) || at > this.view.state.doc.length) return
    // Beside the text of a line there is no word.
    const end = this.view.coordsAtPos(this.view.state.doc.lineAt(at).to)
    const found = end && x > end.right + 2 && at === this.view.state.doc.lineAt(at).to ? null : this.source.help(this.view.state.doc.toString(), at)
    if (found) this.view.dispatch({ effects: show.of({ kind: "help", from: found.from, to: found.to, entries: [found.entry], chosen: 0 }) })
  }

  private readonly onLeave = (): void => {
    clearTimeout(this.timer)
    clearTimeout(this.leaving)
    if (this.view.state.field(shown)?.kind === "help") this.leaving = setTimeout(() => this.view.state.field(shown)?.kind === "help" && close(this.view), LEAVE_MS)
  }

  private readonly onScroll = (): void => {
    clearTimeout(this.timer)
    if (this.view.state.field(shown)) close(this.view)
  }
}

export function words(source: WordSource): Extension {
  return [
    shown,
    ViewPlugin.define((view) => new WordBox(view, source)),
    Prec.highest(
      keymap.of([
        { key: "Ctrl-Space", run: (view) => (void openWords(view, source), true), preventDefault: true },
        { key: "F1", run: (view) => (close(view) || void openHelp(view, source), true), preventDefault: true },
        { key: "ArrowDown", run: (view) => step(view, 1) },
        { key: "ArrowUp", run: (view) => step(view, -1) },
        { key: "PageDown", run: (view) => step(view, 8) },
        { key: "PageUp", run: (view) => step(view, -8) },
        { key: "Enter", run: (view) => accept(view) },
        { key: "Tab", run: (view) => accept(view) },
        { key: "Escape", run: close },
      ]),
    ),
  ]
}

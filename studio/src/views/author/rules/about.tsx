import { sentence } from "../../../editor/problem_text"
import { refusedText } from "../../../editor/refusal_text"
import { Icon, type IconName } from "../../../widgets/icons"
import type { Note } from "../../../server/protocol"
import type { Rule } from "./text/anatomy"
import { signsOf } from "./text/blocks"
import { lookOf, tileLook, type Look } from "./drawing/tile_looks"
import { Swatch } from "./drawing/tile_palette"
import { coverageOf, ruleReading, goodReading, isCounted, COVERAGE_SEEDS } from "./reading"
import { startNow } from "./trial/run_start"
import { showLine } from "./text/text_actions"
import { dedented, shareText, perRun } from "./rule_words"

function Row({ icon, tone, children, onClick }: { icon: IconName; tone: string; children: preact.ComponentChildren; onClick?: (() => void) | undefined }) {
  return (
    <li class="ar-note">
      <span class={tone}>
        <Icon name={icon} />
      </span>
      <div>{children}</div>
      {onClick && (
        <button type="button" class="ar-note-line" onClick={onClick}>
          show
        </button>
      )}
    </li>
  )
}

function NoteRow({ note }: { note: Note }) {
  const good = note.level === "ok"
  return (
    <Row icon={good ? (note.kind === "ends" ? "check" : "eye") : note.level === "error" ? "cross" : "warn"} tone={good ? (note.kind === "ends" ? "ok" : "quiet") : note.level === "error" ? "bad" : "accent"} onClick={!good && note.line ? () => showLine((note.line ?? 1) - 1) : undefined}>
      <p>{sentence(note.text.replace(/`([^`]*)`/g, "$1"))}</p>
      {note.picture && <pre class="ar-picture">{dedented(note.picture.replace(/`([^`]*)`/g, "$1"))}</pre>}
    </Row>
  )
}

/** Every tile that some blocks name, once, in order. */
function looksIn(blocks: readonly (readonly (readonly string[])[])[]): Look[] {
  const found = new Map<string, Look>()
  for (const block of blocks)
    for (const row of block)
      for (const sign of row) {
        const look = lookOf(sign)
        for (const tile of look.of) if (!found.has(tile.name)) found.set(tile.name, tileLook(tile))
      }
  return [...found.values()]
}

const mapWords = (): string => (startNow.value.kind === "fill" ? "a blank map" : "this map")

export function About({ rule }: { rule: Rule }) {
  const drawn = ruleReading(rule)
  const uses = coverageOf(rule)
  const blocks = rule.drawn
  const reads = blocks ? looksIn([signsOf(blocks.left)]) : []
  const writes = blocks ? looksIn(blocks.right.map(signsOf)) : []
  const notes = goodReading.value?.head.notes ?? []
  return (
    <section class="ar-about" aria-label="About this rule">
      <h3>About this rule</h3>
      <ul>
        {drawn?.notes.filter((note) => note.kind !== "expectations").map((note) => <NoteRow key={note.text} note={note} />)}
        {uses ? (
          <Row icon={uses.runs === 0 ? "warn" : "check"} tone={uses.runs === 0 ? "accent" : "ok"}>
            <p>
              {uses.runs === 0
                ? `Never fires in ${uses.seeds} runs on ${mapWords()}${uses.refused ? `: ${refusedText(uses)}` : ""}.`
                : `Fires in ${uses.runs} of ${uses.seeds} runs, ${perRun(uses.fired / uses.runs)} each.${shareText(rule)}`}
            </p>
          </Row>
        ) : (
          drawn &&
          isCounted.value && (
            <Row icon="eye" tone="quiet">
              <p>Counting over {COVERAGE_SEEDS} runs.</p>
            </Row>
          )
        )}
      </ul>
      <p class="ar-reads">
        Reads
        <span class="ar-swatches">{reads.length ? reads.map((look) => <Named key={look.name} look={look} />) : <span class="quiet">nothing</span>}</span>
        writes
        <span class="ar-swatches">{writes.length ? writes.map((look) => <Named key={look.name} look={look} />) : <span class="quiet">nothing</span>}</span>
      </p>
      {notes.length > 0 && (
        <>
          <h3>About the whole file</h3>
          <ul>
            {notes.map((note) => (
              <NoteRow key={note.text} note={note} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Named({ look }: { look: Look }) {
  return (
    <span title={look.name} role="img" aria-label={look.name}>
      <Swatch look={look} />
    </span>
  )
}

/** What is known about the chosen rule without running it, and from twenty runs; then what is known about the whole file. */
import { sentence } from "../../../editor/problem_lens"
import { Icon, type IconName } from "../../../widgets/icons"
import type { Note } from "../../../server/protocol"
import type { Rule } from "./text/anatomy"
import { signsOf } from "./text/blocks"
import { weightsOf } from "./text/edit_words"
import { lookOf, tileLook, type Look } from "./drawing/tile_looks"
import { Swatch } from "./drawing/tile_palette"
import { coverageOf, ruleReading, goodReading, COVERAGE_SEEDS } from "./reading"
import { run } from "./trial/run_map"
import { showLine } from "./text/text_actions"

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

/** Without the blanks that all lines begin with. */
function dedented(text: string): string {
  const lines = text.split("\n")
  const least = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(least)).join("\n")
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

const SHARES: [number, string][] = [[1 / 4, "1 time in 4"], [1 / 3, "1 time in 3"], [1 / 2, "every other time"], [2 / 3, "2 times in 3"], [3 / 4, "3 times in 4"]]

/** "First result 3 times in 4": by weight, as drawn by lot. */
function shareText(rule: Rule): string {
  const weights = weightsOf(rule)
  const sum = weights.reduce((a, b) => a + b, 0)
  if (weights.length < 2 || sum === 0) return ""
  const share = (weights[0] ?? 0) / sum
  const near = SHARES.find(([value]) => Math.abs(value - share) < 1e-6)?.[1] ?? `${Math.round(share * 100)} times in 100`
  return ` First result ${near}.`
}

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
                ? `Never fires in ${uses.seeds} runs on a blank map.`
                : `Fires in ${uses.runs} of ${uses.seeds} runs, ${perRun(uses.fired / uses.runs)} each.${shareText(rule)}`}
            </p>
          </Row>
        ) : (
          drawn &&
          run.value?.head.run?.ends !== false && (
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

const perRun = (times: number): string => (Math.abs(times - 1) < 0.05 ? "once" : `${times < 10 ? Math.round(times * 10) / 10 : Math.round(times)} times`)

/** The rules of the recipe, or its steps if it has none; and what is required of the level. */
import { useMemo } from "preact/hooks"
import { Button, Chip } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { requirementText, measureName, valueText, type Required } from "../../../widgets/measure_text"
import { TileGrid } from "../../../widgets/tile_grid"
import type { TileInfo } from "../../../server/protocol"
import { runOnLevel } from "../../../project/open_in_author"
import { editRules } from "../../../state/recipes"
import { greeting } from "../../../server/connection"
import { theme } from "../../../state/theme"
import { work } from "../../../state/work"
import { actAt, type Act } from "../timeline/acts"
import type { WriteLog } from "../timeline/write_log"
import { problem, rows, ruled, type Row } from "./explanations"
import { laneInk } from "../timeline/draw_lanes"
import { paletteNow } from "../map/map"
import { isImportedMap } from "../imported_map"
import { choose, chosen, drawer, goTo, lastTurn, run, sameRule, side, turn } from "../state"
import { firedText, firstClause } from "./rule_words"

export function RulesPanel() {
  const all = rows.value
  return (
    <section class="panel under-rules" aria-label={all.length ? "Rules" : "Steps"}>
      <header class="panel-head">
        <span class="mono under-file">{work.value?.file ?? ""}</span>
        <span class="gap" />
        <span class="under-head-note">{all.length ? "matches now" : "cells written"}</span>
        <Button small look="quiet" icon="rules" label={all.length ? "Edit the rules, and run them on this level" : "Run rules on this level"} onClick={() => runInAuthor()} />
      </header>
      <div class="under-list" role="group" aria-label={all.length ? "Rules" : "Steps of the recipe"}>
        {all.length ? ruled.value.map((step) => <Group key={step} step={step} rows={all.filter((row) => row.step === step)} named={ruled.value.length > 1} first={all.findIndex((row) => row.step === step)} />) : <Steps />}
        {all.length > 0 && <p class="under-note">Bars: places used, of all found so far.</p>}
        {problem.value && all.length > 0 && <p class="under-note bad">{problem.value.problem}</p>}
      </div>
      <Requirements />
    </section>
  )
}

/** The rules of the chosen step on this level; those that are open in Author if it has none. */
export function runInAuthor(): void {
  const step = chosen.peek()?.step ?? ruled.peek()[0]
  if (step) editRules(step)
  else runOnLevel()
}

function Group({ step, rows: mine, named, first }: { step: string; rows: Row[]; named: boolean; first: number }) {
  return (
    <>
      {named && <div class="under-group">{step}</div>}
      {mine.map((row, at) => (
        <RuleRow key={row.lane.name} row={row} ink={laneInk(first + at, theme.value === "light")} />
      ))}
    </>
  )
}

function RuleRow({ row, ink }: { row: Row; ink: string }) {
  const { seen } = row
  const mine = sameRule(row, chosen.value)
  const never = row.fired === 0
  const matches = seen?.matches ?? 0
  const share = row.firedNow ? row.firedNow / (row.firedNow + (seen ? matches : 0)) : 0
  const words = seen?.words.join(", ") ?? "rule"
  const now = run.value?.log.source(turn.value) === row.lane.name && turn.value > 0 && turn.value < lastTurn.value
  return (
    <button
      type="button"
      aria-pressed={mine}
      class={"under-rule" + (mine ? " on" : "") + (never ? " never" : "") + (now ? " now" : "")}
      aria-label={`${row.rule}, ${words}: ${matches.toLocaleString("en")} ${matches === 1 ? "match" : "matches"} now, ${firedText(row)}`}
      title={seen?.why.length ? seen.why.join("\n") : undefined}
      onClick={() => choose(mine ? null : { step: row.step, rule: row.rule })}
    >
      <span class="under-mini">{seen ? <Miniature seen={seen} /> : null}</span>
      <span class="under-name">{row.rule}</span>
      <span class={"under-matches" + (matches ? "" : " none") + (seen && !row.fresh ? " old" : "")}>{seen ? matches.toLocaleString("en") : ""}</span>
      <span class="under-kind">{words}</span>
      <span class="under-fired">{firedText(row)}</span>
      <span class="under-used" aria-hidden="true">
        <i style={{ width: `${Math.round(share * 1000) / 10}%`, background: mine && !never ? "var(--accent-fill)" : ink }} />
      </span>
    </button>
  )
}

/** What a step did that wrote no tile. */
function placedText({ log }: { log: WriteLog }, act: Act): string {
  if (act.last < act.first) return "wrote no tile"
  const placed = Array.from(log.things).filter((turn) => turn >= act.first && turn <= act.last).length
  return placed ? `placed ${placed.toLocaleString("en")} ${placed === 1 ? "thing" : "things"}` : "gave names"
}

const MINIATURE_PIXELS = 26

/** Before and after, in squares as large as fit; of large patterns the middle. */
function Miniature({ seen }: { seen: NonNullable<Row["seen"]> }) {
  const palette = paletteNow.value
  // It looks the same in every turn, and there may be hundreds of squares: it is drawn once.
  return useMemo(() => miniatureRows(seen, palette), [seen.pattern.join("/") + seen.results[0]?.join("/"), palette])
}

function miniatureRows(seen: NonNullable<Row["seen"]>, palette: readonly TileInfo[]) {
  const result = seen.results[0] ?? []
  const crop = (rows: readonly string[]): string[] => {
    const most = 9
    const top = Math.max(0, Math.floor((rows.length - most) / 2))
    return rows.slice(top, top + most).map((row) => {
      const left = Math.max(0, Math.floor(([...row].length - most) / 2))
      return [...row].slice(left, left + most).join("")
    })
  }
  const before = crop(seen.pattern)
  const kept = crop(result)
  // What stays is drawn as it was, so that the two can be compared.
  const after = kept.map((row, y) => [...row].map((glyph, x) => (glyph === "?" ? ([...(before[y] ?? "")][x] ?? "?") : glyph)).join(""))
  const size = Math.max(2, Math.min(8, Math.floor((MINIATURE_PIXELS - Math.max(before.length, before[0]?.length ?? 1) + 1) / Math.max(before.length, [...(before[0] ?? "?")].length))))
  return (
    <>
      <TileGrid rows={before} palette={palette} size={size} glyphs={false} label="before" />
      <Icon name="right" small />
      <TileGrid rows={after} palette={palette} size={size} glyphs={false} label="after" />
    </>
  )
}

/** A recipe without rules: what its steps wrote. */
function Steps() {
  const now = run.value
  if (!now) return null
  const cells = (one: Act): number => (one.last >= one.first ? now.log.end(one.last) - now.log.begin(one.first) : 0)
  const most = Math.max(1, ...now.acts.map(cells))
  const here = actAt(now.acts, turn.value)
  return (
    <>
      {now.acts.map((one) => {
        const many = cells(one)
        return (
          <button
            key={one.id}
            type="button"
            aria-current={here === one ? "step" : undefined}
            class={"under-step" + (here === one && turn.value < now.log.last ? " on" : "") + (one.first > turn.value && many ? " later" : "")}
            title={one.about}
            onClick={() => goTo(one.last, "rewrite")}
          >
            <span class="under-number">{one.number || ""}</span>
            <span class="under-name">{one.id}</span>
            <span class="under-matches none">{many ? many.toLocaleString("en") : ""}</span>
            <span class="under-kind">{one.use && one.use !== one.id ? one.use : firstClause(one.about)}</span>
            <span class="under-fired">{many === 0 ? placedText(now, one) : one.last === one.first ? "" : `${(one.last - one.first + 1).toLocaleString("en")} turns`}</span>
            <span class="under-used" aria-hidden="true">
              <i style={{ width: `${(many / most) * 100}%`, background: "var(--info)" }} />
            </span>
          </button>
        )
      })}
      <p class="under-note">{isImportedMap() ? "This map was read from a file: nobody knows how it was made." : "This recipe has no rules. A press on a step shows the map after it."}</p>
    </>
  )
}

function Requirements() {
  const head = run.value?.level.head
  if (!head) return null
  const { requirements: all, rejected } = head
  const tries = run.value?.level.source.tries ?? 0
  const unmet = run.value?.level.unmet
  return (
    <div class="under-required">
      <div class="under-required-head">
        <b>Requirements</b>
        <span class="gap" />
        <span class="second">{unmet ? `none of ${tries.toLocaleString("en")} attempts met all` : rejected === 0 ? (all.length ? "met at once" : "") : rejected === 1 ? "1 attempt rejected" : `${rejected.toLocaleString("en")} attempts rejected`}</span>
      </div>
      {all.length === 0 ? (
        <p class="quiet">Nothing is required of this level.</p>
      ) : (
        <ul class="under-chips" aria-label="Requirements">
          {all.map((one) => (
            <li key={one.text} title={whyText(one)}>
              <Chip tone={one.met ? "ok" : "bad"} icon={one.met ? "check" : "cross"}>
                <span class="unseen">{one.met ? "met:" : "not met:"}</span>
                {measureName(one.measure)} {valueText(one.measure, one.value)}
                <span class="under-asked">{requirementText(one)}</span>
                {one.rejected > 0 && <span class="under-rejected">{one.rejected.toLocaleString("en")} rejected</span>}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {greeting.value && (
        <button
          type="button"
          class="measure-more"
          onClick={() => {
            side.value = "measures"
            drawer.value = "right"
          }}
        >
          All {greeting.value.measures.length} measures
        </button>
      )}
    </div>
  )
}

const whyText = (one: Required): string => (one.met ? `${one.text}: it is ${one.value ?? "none"}` : one.why || one.text)

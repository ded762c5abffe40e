/** One rule, explained: where it matches now, where it nearly does, why it does not, how often it fires, and what could be changed. */
import type { ComponentChildren } from "preact"
import { Button } from "../../../widgets/button"
import { Icon, type IconName } from "../../../widgets/icons"
import { countUpTo } from "../timeline/acts"
import { chosenRow, coverage, covering, seedsFor, type Row } from "./explanations"
import { Miss } from "./nearest_miss"
import { POSITIONS } from "./variant_shapes"
import { choose, goTo, run, turn } from "../state"
import { Try } from "./try_changes"
import { isImportedMap } from "../imported_map"
import { countText } from "../counts"
import { refusedText } from "../../../editor/refusal_text"
import { placeText } from "./rule_words"

export function ExplainPanel() {
  const row = chosenRow.value
  if (!row) return <p class="under-empty">{isImportedMap() ? "No rule was at work here: the map was read from a file." : run.value && !run.value.lanes.length ? "This recipe has no rules. The timeline tells what its steps did." : "Choose a rule, or a lane of the timeline: it is explained here."}</p>
  const { seen } = row
  return (
    <div class="under-explain">
      <Heading row={row} />
      {seen && <Miss row={row} seen={seen} />}
      <Why row={row} />
      <Try />
      <Coverage row={row} />
    </div>
  )
}

function Heading({ row }: { row: Row }) {
  const { seen } = row
  const never = row.fired === 0
  const title = never ? `${row.rule} has never fired` : seen?.matches ? `${row.rule} matches in ${countText(seen.matches, "place")}` : `${row.rule} matches nowhere now`
  const one = seen?.off.find(([cells]) => cells === 1)?.[1] ?? 0
  const at = countUpTo(row.lane.turns, turn.value)
  const before = row.lane.turns[at - 1 - (row.lane.turns[at - 1] === turn.value ? 1 : 0)]
  const after = row.lane.turns[at]
  return (
    <header class="under-explain-head">
      <h2>
        {never && (
          <span class="bad">
            <Icon name="warn" />
          </span>
        )}
        {title}
      </h2>
      {seen && (
        <p class="second">
          {countText(seen.tried, "place")} tried
          {one ? `, ${one.toLocaleString("en")} ${one === 1 ? "fails" : "fail"} in one cell only` : seen.off[0] && !seen.matches ? `, the best off by ${countText(seen.off[0][0], "cell")}` : ""}.
          {never && seen.matches > 0 ? ` It matches in ${countText(seen.matches, "place")} now.` : ""}
        </p>
      )}
      {!never && (
        <div class="under-firings">
          <span class="second">
            Fired {row.fired === 1 ? "once" : `${row.fired.toLocaleString("en")} times`}
            {row.firedNow < row.fired ? `, ${row.firedNow.toLocaleString("en")} so far` : ""}
          </span>
          <span class="gap" />
          <Button small icon="back" label="The firing before" disabled={before === undefined} onClick={() => before !== undefined && goTo(before, "rewrite")} />
          <Button small icon="on" label="The next firing" disabled={after === undefined} onClick={() => after !== undefined && goTo(after, "rewrite")} />
        </div>
      )}
    </header>
  )
}

const ICONS: Record<string, IconName> = { consumed: "layers", missing: "search", leaves: "fit", also: "lock", refused: "lock", off: "cross", larger: "fit", elsewhere: "room" }

function Why({ row }: { row: Row }) {
  const now = run.value
  const { seen } = row
  const own = now?.acts.find((one) => one.id === row.step)
  const first = seen?.firsts[0]
  const share = seen && first ? first.places / Math.max(1, seen.tried - seen.matches) : 0
  const notes: { icon: IconName; text: ComponentChildren }[] = []
  if (own && turn.value > own.last && own.last >= own.first)
    notes.push({
      icon: "film",
      text: (
        <>
          Its step is over. <Jump to={own.first - 1}>See the map as it began</Jump>
        </>
      ),
    })
  if (own && turn.value < own.first - 1) notes.push({ icon: "film", text: <>Its step comes later. <Jump to={own.first - 1}>See the map as it begins</Jump></> })
  for (const one of seen?.findings ?? []) notes.push({ icon: ICONS[one.kind] ?? "filter", text: <ServerSentence>{one.text}</ServerSentence> })
  if (seen && first && share >= 0.25 && seen.matches === 0)
    notes.push({ icon: "filter", text: `${Math.round(share * 100)} % of the places fail first at the ${placeText(first.cell, seen.size, first.variant)} cell${first.variant ? `, ${POSITIONS[first.variant]}` : ""}.` })
  if (!notes.length) return null
  return (
    <section class="under-why" aria-label="Why">
      <h3 class="caption">{seen?.matches && row.fired ? "What to know" : "Why"}</h3>
      <ul>
        {notes.map((note, at) => (
          <li key={at}>
            <Icon name={note.icon} />
            <span>{note.text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Jump({ to, children }: { to: number; children: ComponentChildren }) {
  return (
    <button type="button" class="under-link" onClick={() => goTo(to, "rewrite")}>
      {children}
    </button>
  )
}

/** A sentence of the server with a capital and a stop; what stands between backticks is code, and names of rules can be pressed. */
function ServerSentence({ children }: { children: string }) {
  const parts = (children.charAt(0).toUpperCase() + children.slice(1)).split("`")
  return (
    <>
      {parts.map((part, at) => (at % 2 ? <code key={at}>{part}</code> : <Names key={at} text={part} />))}.
    </>
  )
}

function Names({ text }: { text: string }) {
  const row = chosenRow.value
  const others = (run.value?.lanes ?? []).filter((lane) => lane.step === row?.step && lane.rule !== row.rule && lane.rule.length > 2)
  const found = others.filter((lane) => text.includes(lane.rule)).sort((a, b) => b.rule.length - a.rule.length)[0]
  if (!found) return <>{text}</>
  const at = text.indexOf(found.rule)
  return (
    <>
      {text.slice(0, at)}
      <button type="button" class="under-link" onClick={() => choose(found)}>
        {found.rule}
      </button>
      {text.slice(at + found.rule.length)}
    </>
  )
}

function Coverage({ row }: { row: Row }) {
  const all = coverage.value
  const mine = all?.rules.find((one) => one.name === `${row.step}: ${row.rule}`)
  if (!all && !covering.value) return null
  return (
    <section class="under-coverage" aria-label="Coverage">
      <h3 class="caption">Over {all?.seeds ?? seedsFor.value} seeds</h3>
      {mine && all ? (
        <>
          <div class="under-runs" aria-hidden="true">
            {Array.from({ length: all.seeds }, (_, at) => (
              <i key={at} class={at < mine.runs ? "on" : ""} />
            ))}
          </div>
          <p class="second">
            {mine.fired === 0 ? (
              <span class="bad">It never fires{mine.refused ? `: ${refusedText(mine)}` : ""}.</span>
            ) : (
              <>
                Fires in {mine.runs === all.seeds ? "all of them" : `${mine.runs} of ${all.seeds}`}, {(Math.round((mine.fired / all.seeds) * 10) / 10).toLocaleString("en")} times a seed.
              </>
            )}
          </p>
        </>
      ) : (
        <p class="second">Counting… {covering.value ? `seed ${covering.value.done + 1} of ${seedsFor.value}` : ""}</p>
      )}
    </section>
  )
}

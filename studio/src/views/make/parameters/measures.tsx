/** The numbers beside the map: requirements first, then a few measures, and all of them on demand. */
import { useEffect } from "preact/hooks"
import { signal } from "@preact/signals"
import { Button, Chip } from "../../../widgets/button"
import { requirementText, measureName, type Required } from "../../../widgets/measure_text"
import { MeasureRow, MetChip, Rejected, RequirementRows } from "../../../widgets/requirements"
import { failure, level, wantedMeasures } from "../../../state/level"
import { typeText } from "../../../state/recipes"
import { card, settle, changeAndSettle, DEFAULT_TRIES, isMap, work } from "../../../state/work"
import { greeting } from "../../../server/connection"
import { bound, requireMeasure } from "../../../project/require_line"
import { clashingAbout } from "./same_words"
import { relaxedBound } from "./relaxed_bound"

const FEW_MEASURES = ["density", "rooms", "doors", "loops", "dead_ends", "path_length", "choke_points", "linearity"]
const all = signal(false)

const COUNT_WORDS = ["no", "one", "both", "all three", "all four", "all five", "all six", "all seven", "all eight"]

export function Measures() {
  const now = level.value
  const required = now?.head.requirements ?? []
  useEffect(() => {
    wantedMeasures.value = all.value ? "all" : FEW_MEASURES
  }, [all.value])
  const names = all.value ? (greeting.value?.measures ?? []).map((one) => one.name) : FEW_MEASURES
  const rest = names.filter((name) => !required.some((one) => one.measure === name) && now?.head.measures[name] !== undefined)
  return (
    <section class="measuring" aria-label="Measures">
      <header class="panel-head">
        Measures
        <span class="gap" />
        {failure.value ? <Chip tone="bad">not made</Chip> : <MetChip of={required} />}
      </header>
      <div class="measures-list">
        {failure.value && now && <p class="measure-note">No level was made. These are the measures of the level before.</p>}
        <RequirementRows of={required} />
        {now?.unmet && <Unmet required={required} tries={now.source.tries} />}
        {!now?.unmet && (now?.head.rejected ?? 0) > 0 && (
          <p class="measure-note">
            {now?.head.rejected === 1 ? "One attempt was" : `${now?.head.rejected.toLocaleString("en")} attempts were`} rejected before this one.
          </p>
        )}
        <ul class="measures rest" aria-label="Other measures">
          {rest.map((name) => (
            <Measured key={name} name={name} value={now?.head.measures[name]} />
          ))}
        </ul>
        {greeting.value && (
          <button type="button" class="measure-more" aria-expanded={all.value} onClick={() => (all.value = !all.value)}>
            {all.value ? "Fewer measures" : `All ${greeting.value.measures.length} measures`}
          </button>
        )}
      </div>
    </section>
  )
}

const requiring = signal<string | null>(null)

/** A measure, and how it can be required: as it is, at least, at most. */
function Measured({ name, value }: { name: string; value: number | null | undefined }) {
  const one = greeting.value?.measures.find((measure) => measure.name === name)
  const what = one ? clashingAbout(one, card.value?.params ?? []) : ""
  const can = typeof value === "number" && work.value && !isMap(work.value)
  const open = can && requiring.value === name
  const signs = one?.unit === "flag" ? (["=="] as const) : one?.whole ? ([">=", "<=", "=="] as const) : ([">=", "<="] as const)
  return (
    <>
      <MeasureRow name={name} value={value} what={what}>
        {can && (
          <button type="button" class="measure-require" aria-label={`Require this: ${measureName(name)}`} title="Require this of every level" aria-expanded={open || false} onClick={() => (requiring.value = open ? null : name)}>
            Require
          </button>
        )}
      </MeasureRow>
      {open && (
        <li class="measure-conditions" role="group" aria-label={`Require ${measureName(name)}`}>
          {signs.map((sign) => {
            const condition = bound(value, sign)
            return (
              <Button
                key={sign}
                small
                label={`Require ${measureName(name)} ${CONDITION_WORDS[sign]} ${condition.slice(3)}`}
                onClick={() => {
                  requiring.value = null
                  requireMeasure(name, condition)
                }}
              >
                {CONDITION_WORDS[sign]} {condition.slice(3)}
              </Button>
            )
          })}
        </li>
      )}
    </>
  )
}
const CONDITION_WORDS = { ">=": "at least", "<=": "at most", "==": "exactly" }

/** No attempt met all: the nearest is shown. One press allows what it has, another tries on. */
function Unmet({ required, tries }: { required: Required[]; tries: number }) {
  const failed = required.filter((one) => !one.met)
  const relaxed = failed.map((one) => ({ one, to: relaxedBound(one) })).filter((pair) => pair.to !== null)
  const more = tries < 1000 ? 400 : 4000
  const alone = (work.value?.keep?.cells.length ?? 0) > 0 && failed.some((one) => one.measure === "components" || one.measure === "connectivity")
  return (
    <div class="unmet" role="status">
      <p>
        <b>
          No attempt in {tries.toLocaleString("en")} met {required.length === 1 ? "it" : (COUNT_WORDS[required.length] ?? `all ${required.length}`)}.
        </b>{" "}
        <span class="second">Shown: the closest.</span>
      </p>
      <Rejected of={required} />
      {alone && <p class="second">What is kept cannot be reached: this recipe joins its own rooms and no others.</p>}
      <div class="unmet-buttons">
        {alone && (
          <Button small look="main" onClick={() => changeAndSettle({ keep: undefined })}>
            Keep nothing
          </Button>
        )}
        {relaxed.slice(0, 2).map(({ one, to }) => (
          <Button key={one.text} small label={`Allow ${measureName(one.measure)} ${requirementText({ ...one, text: to ?? "" })}`} onClick={() => allow(one, to ?? "")}>
            {relaxed.length > 1 ? `Allow ${measureName(one.measure)} ${one.value}` : `Allow ${one.value}`}
          </Button>
        ))}
        <Button small onClick={() => changeAndSettle({ tries: tries + more })}>
          Try {more} more
        </Button>
      </div>
    </div>
  )
}

/** Writes the looser requirement where the old one stands: in what was asked beside the recipe, or in its text. */
function allow(one: Required, to: string): void {
  const now = work.peek()
  if (!now) return
  if (now.until.includes(one.text)) {
    changeAndSettle({ until: now.until.map((text) => (text === one.text ? to : text)), tries: DEFAULT_TRIES })
    return
  }
  const rest = to.slice(one.measure.length).trim()
  const text = now.text.replace(new RegExp(`^(\\s*${one.measure}\\s*=\\s*)(["'])[^"']*\\2`, "m"), (_, head: string, quote: string) => `${head}${quote}${rest}${quote}`)
  if (text === now.text) return
  typeText(text)
  settle()
}

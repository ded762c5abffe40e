/** The help of an entry: what it is, its type and range, the fields of a step, its picture. */
import { ChoicePicture } from "../../widgets/choice_picture"
import type { Entry } from "./entries"

const GROUP_WORDS: Record<Entry["group"], string> = { step: "step", field: "field of the step", measure: "measure", tile: "tile", word: "word", parameter: "parameter", value: "value", table: "table" }

export function EntryHelp({ of }: { of: Entry }) {
  return (
    <>
      <p class="words-title">
        <b class="mono">{of.label}</b> <span class="quiet">{GROUP_WORDS[of.group]}</span>
      </p>
      {of.choice && <ChoicePicture of={of.choice} width={220} height={104} />}
      {of.about && <p>{of.about}</p>}
      {of.facts && <p class="second">{of.facts}</p>}
      {of.choice?.note && <p class="second">{of.choice.note}</p>}
      {of.rows && of.rows.length > 0 && (
        <dl>
          {of.rows.map(([name, about]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

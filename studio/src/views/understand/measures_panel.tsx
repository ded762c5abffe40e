/** All measures of the level, those first that are required. */
import { MeasureRow, MetChip, Rejected, RequirementRows } from "../../widgets/requirements"
import { greeting } from "../../server/connection"
import { complete, measures, measuring } from "./measures"
import { run } from "./state"

export function MeasuresPanel() {
  const head = run.value?.level.head
  if (!head) return null
  const required = head.requirements
  const all = (greeting.value?.measures ?? []).map((one) => one.name)
  const rest = all.filter((name) => !required.some((one) => one.measure === name))
  const known = measures.value
  const left = rest.filter((name) => known[name] === undefined)
  return (
    <div class="under-measures">
      <header class="under-measures-head">
        <h2>{required.length ? "Required" : "Measures"}</h2>
        <span class="gap" />
        <MetChip of={required} />
      </header>
      <RequirementRows of={required} />
      {head.rejected > 0 && required.some((one) => one.rejected > 0) && <Rejected of={required}>.</Rejected>}
      {required.length > 0 && <h2 class="under-measures-head">All others</h2>}
      <ul class="measures rest" aria-label="Other measures">
        {rest
          .filter((name) => known[name] !== undefined)
          .map((name) => (
            <MeasureRow key={name} name={name} value={known[name]} />
          ))}
      </ul>
      {measuring.value && <p class="under-note" role="status">Measuring…</p>}
      {complete.value && left.length > 0 && (
        <p class="under-note">
          {left.length === 1 ? "One measure takes" : `${left.length} measures take`} too long on a map of this size: {left.map((name) => name.replaceAll("_", " ")).join(", ")}.
        </p>
      )}
    </div>
  )
}

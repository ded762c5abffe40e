/** Below the sheet: how many of the sizes in sight can be made, and whether their rooms are sound. */
import { Icon } from "../../../../widgets/icons"
import { focusSize } from "./sheet"
import { sizeKey, sizeDifference } from "./size_words"
import { inSight, madeSizes, reveal, type MadeSize } from "./sizes"
import { reading } from "../state"

export function Tally() {
  const seen = inSight.value.map((size) => madeSizes.value.get(sizeKey(size))).filter((one): one is MadeSize => one !== undefined)
  const exact = seen.filter((one) => one.head.exact)
  const refused = seen.filter((one) => !one.head.made)
  const short = seen.filter((one) => one.head.made && !one.head.exact)
  const most = Math.max(0, ...short.map((one) => sizeDifference(one.head)))
  const larger = short.some((one) => (one.head.made?.[0] ?? 0) > one.head.size[0] || (one.head.made?.[1] ?? 0) > one.head.size[1])
  return (
    <footer class="lay-tally" title={reading.value?.sizes}>
      <span class="lay-count exact">
        <b>{exact.length}</b> exact
      </span>
      {short.length > 0 && (
        <span class="lay-count short">
          <b>{short.length}</b> {larger ? "off" : "short"} by {most === 1 ? "one" : `up to ${most}`}
        </span>
      )}
      <span class="lay-count refused">
        <b>{refused.length}</b> cannot be made
      </span>
      <span class="gap" />
      <Check seen={seen} />
    </footer>
  )
}

/** The check line: all rooms in sight, and those that the server tried besides. */
function Check({ seen }: { seen: readonly MadeSize[] }) {
  const faulty = seen.filter((one) => (one.head.faults ?? []).length > 0)
  const first = faulty[0]
  if (first) {
    const kinds = [...new Set(faulty.flatMap((one) => one.head.faults ?? []))]
    return (
      <button
        type="button"
        class="lay-check bad"
        onClick={() => {
          reveal(first.head.size)
          focusSize(first.head.size)
        }}
      >
        <Icon name="cross" small />
        {kinds[0]?.replace(/^./, (sign) => sign.toUpperCase())}
        {kinds.length > 1 ? ` and ${kinds.length - 1} more` : ""} at {faulty.length === 1 ? "one size" : `${faulty.length} sizes`}
      </button>
    )
  }
  const note = reading.value?.notes[0]
  if (note)
    return (
      <span class="lay-check bad" title={note.text}>
        <Icon name="warn" small />
        {note.text.replace(/^./, (sign) => sign.toUpperCase())}
      </span>
    )
  if (!seen.some((one) => one.head.made)) return null
  return (
    <span class="lay-check ok">
      <Icon name="check" small />
      Walls closed, floor in one piece
    </span>
  )
}

/** The marks A and B, and the way to compare them. */
import { Button } from "../../widgets/button"
import { Icon } from "../../widgets/icons"
import { work } from "../../state/work"
import { compareMarked } from "./actions"
import { setMark, marks, picking, type Mark } from "./state"

export function Marks() {
  return (
    <footer class="xp-foot">
      <Slot which="a" />
      <Slot which="b" />
      <span class="gap" />
      <Button keys={["C"]} onClick={compareMarked}>
        Compare A and B
      </Button>
    </footer>
  )
}

/** Press it, then a seed: for fingers, which cannot hover. */
function Slot({ which }: { which: Mark }) {
  const held = marks.value[which]
  const letter = which.toUpperCase()
  const placing = picking.value === which
  const other = held && work.value && JSON.stringify(held.base) !== JSON.stringify(work.value.base)
  const what = other ? held.file.replace(/\.toml$/, "") : "seed"
  const words = placing ? "click a seed" : held ? `${what} ${held.seed}` : "choose"
  return (
    <span class={"xp-slot" + (placing ? " placing" : "") + (held ? " held" : "")}>
      <button type="button" aria-pressed={placing} aria-label={`${letter}: ${placing ? words + " to mark it" : held ? words + ", choose another" : words + " a seed"}`} onClick={() => (picking.value = placing ? null : which)}>
        <span class="xp-mark">{letter}</span>{" "}
        <span class="xp-slot-words">{held && !placing ? <><span class={other ? "" : "xp-slot-what"}>{what} </span>{held.seed}</> : words}</span>
      </button>
      {held && !placing && (
        <button type="button" class="xp-unmark" aria-label={`Take mark ${letter} away`} title="Take the mark away" onClick={() => setMark(which, null)}>
          <Icon name="cross" small />
        </button>
      )}
    </span>
  )
}

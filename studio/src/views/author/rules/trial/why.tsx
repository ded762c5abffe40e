/** Why the chosen rule was never used on this map: what the server found, and where it nearly fits. */
import { sentence } from "../../../../editor/problem_text"
import { runOn } from "../../../../project/open_in_author"
import { source } from "../../../../state/work"
import { Button } from "../../../../widgets/button"
import { nearestMiss } from "./nearest_place"
import { map, run } from "./run_map"
import { startNow } from "./run_start"

const MAX_REASONS = 3

export function Why() {
  const why = run.value?.head.run?.why
  if (!why) return null
  const near = nearestMiss(why)
  const show = (): void => {
    if (!near) return
    map.camera.showCell(...near.at)
    map.notifyMoved()
  }
  return (
    <div class="ar-why" role="note" aria-label="Why it never fired">
      {why.findings.slice(0, MAX_REASONS).map((one) => (
        <p key={one.text}>
          <Signs text={one.text} />
        </p>
      ))}
      {near && (
        <p class="second">
          Nearest miss: <Signs text={near.sentence} />{" "}
          <button type="button" class="under-link" onClick={show}>
            show
          </button>
        </p>
      )}
      {startNow.value.kind === "fill" && source.value && (
        <Button small onClick={() => (runOn.value = { kind: "level", step: "" })}>
          Run on the level instead
        </Button>
      )}
    </div>
  )
}

/** What stands between backticks is code. */
function Signs({ text }: { text: string }) {
  return <>{sentence(text).split("`").map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>
}

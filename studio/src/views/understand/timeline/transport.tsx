/** Play, step, speed, and where the playhead is, in words. */
import { Button } from "../../../widgets/button"
import { Segmented } from "../../../widgets/choices"
import { dialog } from "../../../state/navigation"
import { playing, speed, SPEEDS, togglePlay, type Speed } from "./playback"
import { sizeNow } from "../map/map"
import { turnZeroName } from "../imported_map"
import { act, choose, goTo, lastTurn, run, snap, stepRecipeBy, stepBy, turn, type Snap } from "../state"
import { fitTime, isZoomed, zoomTime } from "./time_window"

const SPEED_NAMES: Record<Speed, string> = { "1": "1×", "8": "8×", "64": "64×", max: "max" }

export function Transport() {
  const none = run.value === null
  const noun = snap.value === "step" ? "step" : "rewrite"
  return (
    <div class="under-transport" role="toolbar" aria-label="Playing">
      <Button icon="first" look="quiet" label="To the step before" keys={["Shift", ","]} disabled={none || turn.value === 0} onClick={() => stepRecipeBy(-1)} />
      <Button icon="previous" look="quiet" label={`One ${noun} back`} keys={[","]} disabled={none || turn.value === 0} onClick={() => stepBy(-1)} />
      <Button icon={playing.value ? "pause" : "play"} look="main" class="under-play" label={playing.value ? "Pause" : "Play"} keys={["K"]} disabled={none} onClick={togglePlay} />
      <Button icon="next" look="quiet" label={`One ${noun} on`} keys={["."]} disabled={none || turn.value >= lastTurn.value} onClick={() => stepBy(1)} />
      <Button icon="last" look="quiet" label="To the next step" keys={["Shift", "."]} disabled={none || turn.value >= lastTurn.value} onClick={() => stepRecipeBy(1)} />
      <Segmented small class="under-speed" label="Speed" value={speed.value} options={SPEEDS.map((value) => ({ value, title: SPEED_NAMES[value] }))} onChange={(value) => (speed.value = value)} />
      <Where />
      <span class="gap" />
      <span class="under-zoom" role="group" aria-label="Zoom in time">
        <Button small icon="minus" look="quiet" label="Zoom out in time" keys={["O"]} disabled={none || !isZoomed()} onClick={() => zoomTime(1 / 1.8)} />
        <Button small icon="plus" look="quiet" label="Zoom in in time" keys={["I"]} disabled={none} onClick={() => zoomTime(1.8)} />
        <Button small icon="fit" look="quiet" label="All of time" keys={["A"]} disabled={none || !isZoomed()} onClick={fitTime} />
      </span>
      <span class="under-snap">Snap to</span>
      <Segmented<Snap>
        small
        label="Snap to"
        value={snap.value}
        options={[
          { value: "step", title: "step" },
          { value: "rewrite", title: "rewrite" },
        ]}
        onChange={(value) => {
          snap.value = value
          if (value === "step") goTo(turn.peek())
        }}
      />
      <Button icon="film" look="quiet" label="Save as an animation" onClick={() => (dialog.value = "export")} />
    </div>
  )
}

/** "Turn 1,284 of 2,160   step 4 of 7, rewrite, rule pillars at (20, 29)" */
function Where() {
  const now = run.value
  if (!now) return <span class="under-where" />
  const at = turn.value
  const step = act.value
  const steps = now.level.head.steps.length
  const lane = now.lanes.find((one) => one.name === now.log.source(at))
  const first = now.log.cells[now.log.begin(at)]
  const [width] = sizeNow.value
  const many = now.log.end(at) - now.log.begin(at)
  return (
    <span class="under-where">
      <b>Turn {at.toLocaleString("en")}</b> <span class="quiet">of {now.log.last.toLocaleString("en")}</span>
      <span class="under-doing">
        {at === 0 ? (
          `the ${turnZeroName()}`
        ) : (
          <>
            {step?.number ? `step ${step.number} of ${steps}, ` : ""}
            {step?.id ?? ""}
            {lane && (
              <>
                , rule{" "}
                <button type="button" class="under-link" onClick={() => choose({ step: lane.step, rule: lane.rule })}>
                  {lane.rule}
                </button>
              </>
            )}
            {first !== undefined && (lane || many === 1) ? ` at (${first % width}, ${Math.floor(first / width)})` : many ? `, ${many.toLocaleString("en")} cells` : ""}
          </>
        )}
      </span>
    </span>
  )
}

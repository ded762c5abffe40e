/** The map of the turn that is shown, with chips for what can be laid over it. */
import { MapCanvas } from "../../../canvas/map_canvas"
import { RAMP, css } from "../../../canvas/colours"
import { Chip } from "../../../widgets/button"
import { Segmented } from "../../../widgets/choices"
import { Zoom } from "../../../widgets/zoom_buttons"
import { chokes, from, on, OVERLAYS, solution, toggle, type From } from "./overlays"
import { chains, tooMany } from "./layers"
import { map, origin, sizeNow, stepsFrom } from "./map"
import { failure, making, slow } from "../../../state/level"
import { fetching, finished, run, trouble, turn } from "../state"
import { describeCell, WhoCard } from "../cell/cell_card"
import { dependOn } from "../../../state/depend_on"

const MARGIN = { top: 52, right: 20, bottom: 54, left: 20 }

export function Stage() {
  return (
    <section class="under-stage" aria-label="Map">
      <MapCanvas map={map} label={label()} speak={describeCell} margin={MARGIN} />
      <div class="under-overlays" role="toolbar" aria-label="Overlays">
        {OVERLAYS.map((one) => (
          <span key={one.name} title={one.about}>
            <Chip on={on.value.has(one.name)} dot={one.dot} keys={[one.key.toLowerCase()]} label={one.title} onClick={() => toggle(one.name)}>
              {one.title}
            </Chip>
          </span>
        ))}
      </div>
      <Notes />
      <Zoom map={map} class="under-zooms" />
      <WhoCard />
      <Waiting />
    </section>
  )
}

function label(): string {
  const now = run.value
  if (!now) return "Map"
  const [width, height] = sizeNow.value
  return `Map after turn ${turn.value.toLocaleString("en")}, ${width} by ${height} cells. Arrow keys move the cell cursor, W tells who wrote a cell.`
}

/** What overlays have to say in words, under their chips. */
function Notes() {
  const said: { key: string; text: string; bad?: boolean }[] = []
  const solved = solution.value
  if (on.value.has("solution") && solved)
    said.push(
      "refused" in solved
        ? { key: "solution", text: `No solution: ${solved.refused}`, bad: true }
        : { key: "solution", text: `Solution: ${solved.length.toLocaleString("en")} steps${solved.keys.length ? `, ${solved.keys.length} stops` : ", nothing is locked"}${solved.backtrack ? `, ${solved.backtrack.toLocaleString("en")} of them back` : ""}` },
    )
  if (on.value.has("choke") && chokes.value) said.push({ key: "choke", text: chokes.value.length ? `${chokes.value.length.toLocaleString("en")} choke points, marked ${chains.value?.marks.length === 1 ? "once" : `in ${chains.value?.marks.length ?? 0} places`}` : "No choke points" })
  if (on.value.has("path") && run.value && !run.value.level.path.length) said.push({ key: "path", text: "This level has no path" })
  if (on.value.has("graph") && tooMany.value) said.push({ key: "graph", text: "Too many regions for the graph: come nearer" })
  if (!finished.value && [...on.value].some((one) => one !== "distance")) said.push({ key: "later", text: "Overlays are those of the finished level" })
  return (
    <div class="under-notes">
      {on.value.has("distance") && <Distance />}
      {said.map((one) => (
        <span key={one.key} class={"under-said" + (one.bad ? " bad" : "")}>
          {one.text}
        </span>
      ))}
    </div>
  )
}

function Distance() {
  dependOn(turn.value)
  const at = origin.value
  const steps = at === null ? null : stepsFrom(at)
  let most = 0
  if (steps) for (const away of steps) if (away > most) most = away
  return (
    <span class="under-said under-distance">
      <Segmented<From>
        small
        label="Distance from"
        value={from.value}
        options={[
          { value: "start", title: "from the start" },
          { value: "pointer", title: "from the cursor" },
        ]}
        onChange={(value) => (from.value = value)}
      />
      <span class="under-ramp" aria-hidden="true" style={{ background: `linear-gradient(90deg, ${RAMP.map((ink) => css(ink)).join(",")})` }} />
      <span>{at === null ? (from.value === "start" ? "there is no start" : "point at the ground") : `0 to ${most.toLocaleString("en")} steps`}</span>
    </span>
  )
}

/** The level or its log is on its way, or cannot be had. What is shown stays as it is for a moment, so that quick answers do not flicker. */
function Waiting() {
  const bad = failure.value ?? (run.value ? null : trouble.value)
  if (bad && !making.value) return <div class="under-waiting">{bad.problem}</div>
  const step = making.value ? (slow.value || !run.value ? making.value.step : undefined) : fetching.value ? (fetching.value.step ?? (run.value ? undefined : null)) : undefined
  if (step === undefined) return null
  return (
    <div class="under-waiting" role="status">
      {making.value ? (step ? `Making: ${step.step}, ${Math.round(step.share * 100)} %` : "Making the level") : step ? `Watching ${step.step}, ${Math.round(step.share * 100)} %` : "Watching how it is made"}
    </div>
  )
}

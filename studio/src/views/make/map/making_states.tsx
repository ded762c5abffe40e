/** States that are shown over the map: making takes long, it failed, kept cells moved, the server is away. The map itself stays visible. */
import { Button } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import type { Problem } from "../../../server/protocol"
import { connection, greeting } from "../../../server/connection"
import { failure, level, making, makeAgain, slow, stopMaking, stopped } from "../../../state/level"
import { problems } from "../../../state/recipes"
import { shuffle, useSize } from "../../../state/seeds"
import { changeAndSettle, size, undo, work } from "../../../state/work"
import { sentence } from "../../../editor/problem_text"
import { applyChange, showPlace } from "../text/text_actions"
import { helpFor } from "./failure_help"
import { keptCells, map, movedCells } from "./map"
import { groupsOf } from "./cell_runs"
import { keepCells } from "./tools"
import { dependOn } from "../../../state/depend_on"

export function States() {
  if (connection.value.kind !== "open" && greeting.value) return <Away />
  if (slow.value && making.value) return <Making />
  if (failure.value && problems.value.length === 0) return <GaveUp problem={failure.value} />
  // A recipe that was broken from the start has no last good level to show.
  if (!level.value && problems.value[0]) return <GaveUp problem={problems.value[0]} />
  if (movedCells.value.size > 0) return <Moved />
  if (stopped.value) return <Stopped />
  return null
}

function Making() {
  const now = making.value
  const step = now?.step
  const share = Math.round((step?.share ?? 0) * 100)
  const [width, height] = now?.size ?? [0, 0]
  return (
    <>
      <div class="progress" role="progressbar" aria-label="Making the level" aria-valuenow={share} aria-valuemin={0} aria-valuemax={100}>
        <i style={{ width: share + "%" }} />
      </div>
      <div class="float state-card">
        <div class="row">
          <b>{step ? `Step ${step.index + 1} of ${step.of}, ${step.step}` : "Making the level"}</b>
          <span class="gap" />
          <span class="second">{share} %</span>
        </div>
        <p class="second">
          {width} × {height}
          {step && step.attempt > 0 ? `, attempt ${step.attempt + 1}` : ""}. The old level stays until the new one is whole.
        </p>
        <div class="row">
          <Button small keys={["Esc"]} onClick={stopMaking}>
            Stop
          </Button>
          <span class="quiet">A newer change stops this one by itself.</span>
        </div>
      </div>
    </>
  )
}

function Stopped() {
  return (
    <div class="float state-card narrow">
      <div class="row">
        <span>Stopped. This is the level before.</span>
        <span class="gap" />
        <Button small onClick={makeAgain}>
          Make it
        </Button>
      </div>
    </div>
  )
}

/** What went wrong in the first line, the rest below, and whatever can be done about it. */
function GaveUp({ problem }: { problem: Problem }) {
  const [head = "", ...rest] = problem.problem.split("\n")
  const { place, change } = problem
  const kept = (work.value?.keep?.cells.length ?? 0) > 0
  const { size: better, seed } = helpFor(problem, size.value)
  return (
    <div class="float state-card gave-up" role="alert">
      <div class="row">
        <span class="bad">
          <Icon name="warn" />
        </span>
        <b class="state-title">{sentence(head).replace(/\.$/, "")}</b>
      </div>
      {rest.length > 0 && <p class="second pre">{rest.map((line) => line.trim()).join("\n")}</p>}
      {problem.fix && <p class="second">{sentence(problem.fix.charAt(0).toUpperCase() + problem.fix.slice(1))}</p>}
      {place && (
        <p class="mono quiet">
          {place.file}:{place.line}:{place.column}
        </p>
      )}
      <div class="row">
        {change && (
          <Button small look="main" onClick={() => applyChange(change)}>
            {change.label.charAt(0).toUpperCase() + change.label.slice(1)}
          </Button>
        )}
        {kept && (
          <Button small look="main" onClick={() => changeAndSettle({ keep: undefined })}>
            Keep nothing
          </Button>
        )}
        <Button small {...(change || kept ? {} : { look: "main" as const })} onClick={undo}>
          Undo
        </Button>
        {better && !place && !kept && (
          <Button small onClick={() => useSize(better)}>
            Set size to {better[0]} × {better[1]}
          </Button>
        )}
        {seed && (
          <Button small onClick={shuffle}>
            Try another seed
          </Button>
        )}
        {place && (
          <Button small look="quiet" onClick={() => showPlace(place)}>
            Show it
          </Button>
        )}
      </div>
    </div>
  )
}

function Moved() {
  const now = level.value
  if (!now) return null
  const kept = groupsOf(keptCells.value, now.width)
  const moved = groupsOf(movedCells.value, now.width)
  const touched = kept.filter((one) => moved.some((other) => other.x < one.right && other.right > one.x && other.y < one.bottom && other.bottom > one.y)).length
  const part = kept.length > 1 ? `${touched} of ${kept.length} kept parts` : "The kept part"
  return (
    <div class="float state-card" role="status">
      <div class="row">
        <span class="accent">
          <Icon name="lock" />
        </span>
        <b>
          {part} could not stay whole
        </b>
      </div>
      <p class="second">
        {now.head.notes[0] ? sentence(now.head.notes[0]) + " " : ""}
        {movedCells.value.size === 1 ? "One cell is" : `${movedCells.value.size.toLocaleString("en")} cells are`} other than before, outlined in red. The rest stayed as it was.
      </p>
      <div class="row">
        <Button small onClick={shuffle}>
          Try another seed
        </Button>
        <Button small onClick={() => keepCells(movedCells.value, false)}>
          Let those cells go
        </Button>
        <Button small look="quiet" onClick={undo}>
          Undo
        </Button>
      </div>
    </div>
  )
}

function Away() {
  if (connection.value.kind === "trying" && !level.value) return null
  return (
    <div class="float state-card">
      <p class="second">
        Still works: pan, zoom, overlays, reading, editing text. Waiting: making, export, saving. Your edits are kept in this browser and sent when it is back.
      </p>
    </div>
  )
}

/** Small plates at kept and moved groups. They are elements, so that they stay sharp and can be read aloud. */
export function Plates() {
  const now = level.value
  dependOn(map.moved.value)
  if (!now || !work.value) return null
  const moved = movedCells.value
  const stay = new Set([...keptCells.value].filter((cell) => !moved.has(cell)))
  const big = (one: { cells: number }): boolean => one.cells > 3
  return (
    <>
      {groupsOf(stay, now.width)
        .filter(big)
        .slice(0, 12)
        .map((one) => (
          <Plate key={`k${one.x} ${one.y}`} of={one} kind="kept" />
        ))}
      {groupsOf(moved, now.width)
        .filter(big)
        .slice(0, 12)
        .map((one) => (
          <Plate key={`m${one.x} ${one.y}`} of={one} kind="moved" />
        ))}
    </>
  )
}

/** At the right end of its group; over the middle of one that is narrower than the plate. */
function Plate({ of, kind }: { of: { x: number; y: number; right: number }; kind: "kept" | "moved" }) {
  const narrow = (of.right - of.x) * map.camera.scale < 72
  const { x, y } = map.at(narrow ? (of.x + of.right) / 2 : of.right, of.y)
  if (x < 40 || y < 8 || x > map.camera.width || y > map.camera.height) return null
  return (
    <span class={"plate " + kind} style={{ transform: `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(${narrow ? "-50%, -110%" : "-100%, -55%"})` }}>
      {kind === "kept" && <Icon name="lock" small />}
      {kind === "kept" ? "Kept" : "moved"}
    </span>
  )
}

/** Understand: every step and rewrite on a timeline, the map at any turn, who wrote a cell, and why a rule does what it does. */
import { useCommands } from "../../shell/commands"
import { useKeys } from "../../shell/keys"
import { Button } from "../../widgets/button"
import { Segmented } from "../../widgets/choices"
import { TopMiddle } from "../../widgets/top_middle"
import { goBack, goForward as forward, toggleFavourite } from "../../state/history"
import { level } from "../../state/level"
import { view } from "../../state/navigation"
import { shuffle } from "../../state/seeds"
import { card, redo, undo, work } from "../../state/work"
import { togglePlay } from "./timeline/playback"
import { ExplainPanel } from "./rules/explain_panel"
import { rows } from "./rules/explanations"
import { LANES_TOP, LANE_HEIGHT } from "./timeline/draw_lanes"
import "./map/layers"
import { pin, pinned, unpin } from "./cell/inspected_cell"
import { map } from "./map/map"
import "./map/match_marks"
import { MeasuresPanel } from "./measures_panel"
import { OVERLAYS, toggle, type Overlay } from "./map/overlays"
import { runOnLevel } from "../../project/open_in_author"
import { RulesPanel } from "./rules/rules_panel"
import { Stage } from "./map/stage"
import { choose, chosen, drawer, run, side, stepRecipeBy, stepBy } from "./state"
import { fitTime, zoomTime } from "./timeline/time_window"
import { moveLane, Strip } from "./timeline/timeline"
import { Transport } from "./timeline/transport"

const TRANSPORT_HEIGHT = 44
const MAX_VISIBLE_LANES = 7

export function Understand() {
  const overlay = Object.fromEntries(OVERLAYS.map((one) => [one.name, () => toggle(one.name)])) as Record<Overlay, () => void>
  useKeys({
    play: togglePlay,
    stepback: () => stepBy(-1),
    stepon: () => stepBy(1),
    stageback: () => stepRecipeBy(-1),
    stageon: () => stepRecipeBy(1),
    laneup: () => moveLane(-1),
    lanedown: () => moveLane(1),
    left: () => map.pan(48, 0),
    right: () => map.pan(-48, 0),
    who: () => {
      pin()
      if (document.activeElement === map.canvas) requestAnimationFrame(() => document.querySelector<HTMLElement>(".under-who .under-write.on")?.focus())
    },
    ...overlay,
    timein: () => zoomTime(1.8),
    timeout: () => zoomTime(1 / 1.8),
    timeall: fitTime,
    fit: () => map.fit(),
    closer: () => map.zoom(1.25),
    further: () => map.zoom(0.8),
    shuffle,
    back: goBack,
    on: forward,
    favourite: toggleFavourite,
    undo,
    redo,
    stop: () => (pinned.peek() ? unpin() : choose(null)),
  })
  useCommands(() => [
    { label: "Run rules on this level", kind: "rule", run: () => runOnLevel() },
    ...rows.peek().map((row) => ({ label: `Explain ${row.rule}`, kind: "rule", run: () => choose({ step: row.step, rule: row.rule }) })),
  ])
  if (!work.value) return <Nothing />
  const lanes = run.value?.lanes.length ?? 0
  const high = TRANSPORT_HEIGHT + LANES_TOP + Math.min(MAX_VISIBLE_LANES, lanes) * LANE_HEIGHT + (lanes ? 8 : 14)
  return (
    <div class={"understand drawer-" + drawer.value} style={{ "--strip": high + "px" }}>
      <TopMiddle>
        <span class="under-top">
          <b>{titleOf()}</b> {subtitle()}
        </span>
      </TopMiddle>
      <RulesPanel />
      <Stage />
      <section class="panel under-side" aria-label="Explanation and measures">
        <div class="under-tabs">
          <Segmented
            label="Side"
            value={side.value}
            options={[
              { value: "rule", title: chosen.value ? "Rule" : "Rules" },
              { value: "measures", title: "Measures" },
            ]}
            onChange={(value) => (side.value = value)}
          />
        </div>
        <div class="under-side-scroll" role="region" aria-label={side.value === "rule" ? "The rule" : "Measures"} tabIndex={0}>{side.value === "rule" ? <ExplainPanel /> : <MeasuresPanel />}</div>
      </section>
      <div class="under-drawers">
        <Segmented<"left" | "rule" | "measures">
          label="Panel"
          value={drawer.value === "left" ? "left" : side.value}
          options={[
            { value: "left", title: rows.value.length ? "Rules" : "Steps" },
            { value: "rule", title: "Explain" },
            { value: "measures", title: "Measures" },
          ]}
          onChange={(value) => {
            drawer.value = value === "left" ? "left" : "right"
            if (value !== "left") side.value = value
          }}
        />
      </div>
      <section class="panel under-time" aria-label="Timeline">
        <Transport />
        <Strip />
      </section>
    </div>
  )
}

function titleOf(): string {
  const title = level.value?.head.title
  if (title) return title
  const name = card.value?.name ?? ""
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ")
}

function subtitle(): string {
  const head = level.value?.head
  return head ? [head.title ? head.recipe : "", `seed ${head.seed}`].filter(Boolean).join(", ") : ""
}

function Nothing() {
  return (
    <div class="under-nothing">
      <h1>There is no level yet</h1>
      <p>Make one, and see here how it came to be: every step and rewrite, and who wrote each cell.</p>
      <Button look="main" onClick={() => (view.value = "make")}>
        Go to Make
      </Button>
    </div>
  )
}

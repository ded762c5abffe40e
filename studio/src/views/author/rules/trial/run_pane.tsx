/** The rules at work on a map: how often the chosen one was used, where it would still fit, and why it was not used. */
import { useEffect } from "preact/hooks"
import { MapCanvas } from "../../../../canvas/map_canvas"
import { Button } from "../../../../widgets/button"
import { Segmented } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { limitOf } from "../text/edit_words"
import { shuffle as shuffleLevel } from "../../../../state/seeds"
import { doc, outline, rule } from "../state"
import { behind, failure, problems, runSeed, runUntil } from "../reading"
import { before, beside, map, picking, piece, run, sideBySide, describeBefore, describeCell } from "./run_map"
import { stopPicking, expectPiece } from "./expect"
import { MapChoice, MapSettings } from "./map_choice"
import { startNow } from "./run_start"
import { recipeToUseIn, useInRecipe } from "./use_in_recipe"
import { Why } from "./why"

/** Another seed: of the run, or of the level if the rules run at one of its steps. */
export function shuffle(): void {
  const on = startNow.peek()
  if (on.kind === "level" && on.step) shuffleLevel()
  else runSeed.value = String(1 + Math.floor(Math.random() * 99999))
}

const countText = (count: number, what: string): string => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

/** "fired 20 of 20, 11 places left" */
function outcomeText(): string {
  const now = run.value?.head.run
  if (!now) return ""
  // A limit that its node has with other rules is none of its own.
  const limit = rule.value && rule.value.node.rules.length > 1 ? limitOf(rule.value) : now.limit
  const fired = now.fired === 0 ? "never fired" : limit ? `fired ${now.fired.toLocaleString("en")} of ${limit.toLocaleString("en")}` : `fired ${countText(now.fired, "time")}`
  return `${fired}, ${now.left === 0 ? "no place left" : `${countText(now.left, "place")} left`}`
}

export function RunPane() {
  const now = run.value?.head.run
  useEffect(() => {
    map.tool = picking.value
      ? {
          name: "piece",
          cursor: "crosshair",
          begin: (at) => {
            piece.value = { from: at, to: at }
            return true
          },
          move: (at) => {
            if (at && piece.peek()) piece.value = { ...(piece.peek() as { from: [number, number]; to: [number, number] }), to: at }
          },
          end: () => void expectPiece(),
        }
      : null
    map.onEnter = picking.value
      ? (at) => {
          const begun = piece.peek()
          if (!begun) piece.value = { from: at, to: at }
          else {
            piece.value = { ...begun, to: at }
            void expectPiece()
          }
        }
      : null
    return () => {
      map.tool = null
      map.onEnter = null
    }
  }, [picking.value])
  const stale = behind.value || problems.value.length > 0
  const drawing = startNow.value.kind === "drawing"
  const both = sideBySide.value
  const margin = { top: 32, right: 12, bottom: 12, left: 12 }
  return (
    <section class="ar-run" aria-label="Run">
      <h3>
        <MapChoice />
        <span class="gap" />
        <Button small icon="columns" label="Before and after, side by side" pressed={both} disabled={drawing} onClick={() => (beside.value = !beside.peek())} />
        <Button small icon="shuffle" label="Shuffle the seed" keys={["Space"]} onClick={shuffle} />
      </h3>
      <div class="ar-maps">
        {both && (
          <div class="ar-map">
            <MapCanvas map={before} label="Map before the run" speak={describeBefore} margin={margin} />
            <p class="ar-outcome">{drawing ? "Before: draw here with the tile in hand" : "Before"}</p>
          </div>
        )}
        <div class={"ar-map" + (stale && problems.value.length > 0 ? " stale" : "") + (picking.value ? " picking" : "")}>
          <MapCanvas map={map} label={`Map after the run, ${outcomeText()}`} speak={describeCell} margin={margin} />
          <p class="ar-outcome">
            {both && "After: "}
            {outcomeText()}
          </p>
          <div class="ar-map-foot">
            {problems.value.length > 0 && <p class="ar-map-note">{run.value ? "As it was before the text broke" : "The rules run when their text can be read"}</p>}
            {failure.value && problems.value.length === 0 && (
              <p class="ar-map-note bad">
                <Icon name="warn" small /> {failure.value.problem}
              </p>
            )}
            {now && !now.ends && problems.value.length === 0 && (
              <p class="ar-map-note accent">
                <Icon name="warn" small /> It had not ended after {now.turns.toLocaleString("en")} turns, and was stopped
              </p>
            )}
          </div>
          {picking.value && (
            <div class="ar-map-ask float">
              <span>{piece.value ? "Now the other corner" : "Drag over a piece of the map"}</span>
              <Button small look="quiet" onClick={stopPicking}>
                Cancel
              </Button>
            </div>
          )}
        </div>
      </div>
      {!failure.value && problems.value.length === 0 && <Why />}
      <footer class="ar-run-foot">
        <MapSettings />
        <span class="gap" />
        <Segmented
          small
          label="Which map is shown"
          value={runUntil.value}
          options={[
            { value: "rule", title: "after it", label: `The map when ${rule.value?.name || "this rule"} was used for the last time` },
            { value: "end", title: "at the end", label: `The map after all ${outline.value.rules.length} rules` },
          ]}
          onChange={(value) => (runUntil.value = value)}
        />
        {recipeToUseIn.value && !doc.value?.of && (
          <Button small icon="plus" label={`Use in recipe: add these rules to ${recipeToUseIn.value} as a step`} onClick={useInRecipe}>
            Use in recipe
          </Button>
        )}
      </footer>
    </section>
  )
}

/** The rules at work on a blank map: how often the chosen one was used, and where it would still fit. */
import { useEffect } from "preact/hooks"
import { MapCanvas } from "../../../../canvas/map_canvas"
import { Button } from "../../../../widgets/button"
import { Segmented } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { LineInput } from "../../../../widgets/line_input"
import { limitOf } from "../text/edit_words"
import { outline, rule } from "../state"
import { behind, failure, problems, runSeed, runSize, runUntil } from "../reading"
import { map, picking, piece, run, describeCell } from "./run_map"
import { stopPicking, expectPiece } from "./expect"

export function shuffle(): void {
  runSeed.value = String(1 + Math.floor(Math.random() * 99999))
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
  const size = (at: 0 | 1, text: string): void => {
    const value = Math.max(1, Math.min(200, Math.round(Number(text)) || 1))
    runSize.value = at === 0 ? [value, runSize.peek()[1]] : [runSize.peek()[0], value]
  }
  const stale = behind.value || problems.value.length > 0
  return (
    <section class="ar-run" aria-label="On a blank map">
      <h3>
        On a blank map <span class="quiet ar-outcome">{outcomeText()}</span>
        <span class="gap" />
        <Button small icon="shuffle" label="Shuffle the seed" keys={["Space"]} onClick={shuffle} />
      </h3>
      <div class={"ar-map" + (stale && problems.value.length > 0 ? " stale" : "") + (picking.value ? " picking" : "")}>
        <MapCanvas map={map} label={`Blank map after the run, ${outcomeText()}`} speak={describeCell} margin={{ top: 12, right: 12, bottom: 12, left: 12 }} />
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
        {picking.value && (
          <div class="ar-map-ask float">
            <span>{piece.value ? "Now the other corner" : "Drag over a piece of the map"}</span>
            <Button small look="quiet" onClick={stopPicking}>
              Cancel
            </Button>
          </div>
        )}
      </div>
      <footer class="ar-run-foot">
        <label class="field small ar-seed">
          <span class="quiet">seed</span>
          <LineInput class="mono" aria-label="Seed of the run" value={runSeed.value} onTake={(seed) => (runSeed.value = seed.trim() || "1")} />
        </label>
        <span class="field small ar-run-size" role="group" aria-label="Size of the blank map">
          <LineInput class="mono" inputMode="numeric" aria-label="Width" value={runSize.value[0]} onTake={(side) => size(0, side)} />
          <span class="quiet">×</span>
          <LineInput class="mono" inputMode="numeric" aria-label="Height" value={runSize.value[1]} onTake={(side) => size(1, side)} />
        </span>
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
      </footer>
    </section>
  )
}

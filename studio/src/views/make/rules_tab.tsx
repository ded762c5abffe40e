/** The rules of a recipe that rewrites: each drawn small, with how often it was used in this level. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../../parts/button"
import { Icon } from "../../parts/icons"
import { TileGrid } from "../../parts/tiles"
import type { RulesSeen, RuleSeen, TimelineHead } from "../../protocol"
import { ask } from "../../server"
import { level } from "../../state/level"
import { view } from "../../state/place"

const seen = signal<{ number: number; step: string; rules: RuleSeen[]; problem: string } | null>(null)

async function look(): Promise<void> {
  const now = level.peek()
  const step = now?.head.steps.find((one) => one.use === "rewrite")
  if (!now || !step || seen.peek()?.number === now.number) return
  // Used so far means used in the whole level: rules are looked at after its last turn.
  const log = await ask<TimelineHead>("rules of the text", { do: "timeline", ...now.exact })
  if (log.kind !== "done" || level.peek()?.number !== now.number) return
  const reply = await ask<RulesSeen>("rules of the text", { do: "explain", step: step.id, turn: Math.max(0, log.head.turns - 1), ...now.exact })
  if (reply.kind === "done") seen.value = { number: now.number, step: step.id, rules: reply.head.rules, problem: "" }
  else if (reply.kind === "problem") seen.value = { number: now.number, step: step.id, rules: [], problem: reply.problem.problem }
}

export function RulesTab() {
  const now = level.value
  useEffect(() => void look(), [now?.number])
  const palette = now?.head.palette ?? []
  const rules = seen.value?.rules ?? []
  const most = Math.max(1, ...rules.map((rule) => rule.fired))
  return (
    <>
      <div class="rules-tab">
        {seen.value?.problem && <p class="second">{seen.value.problem}</p>}
        <ul>
          {rules.map((rule) => {
            const result = rule.results[0] ?? []
            const wide = Math.max(1, ...rule.pattern.map((row) => [...row].length))
            const size = Math.max(4, Math.min(11, Math.floor(76 / Math.max(wide, rule.pattern.length))))
            return (
              <li key={rule.name} class="rules-row">
                <div class="rules-drawn">
                  <TileGrid rows={rule.pattern} palette={palette} size={size} label={`pattern of ${rule.name}`} />
                  <Icon name="right" small />
                  <TileGrid rows={result} palette={palette} size={size} label={`result of ${rule.name}`} />
                </div>
                <div class="rules-words">
                  <b>{rule.name}</b>
                  <span class="mono quiet">{rule.kind}</span>
                  <span class="rules-bar" aria-hidden="true">
                    <i style={{ width: (rule.fired / most) * 100 + "%" }} />
                  </span>
                  <span class="second">{rule.fired === 0 ? "not used here" : `used ${rule.fired.toLocaleString("en")} ${rule.fired === 1 ? "time" : "times"}`}</span>
                </div>
              </li>
            )
          })}
        </ul>
      </div>
      <footer class="panel-foot">
        <span class="quiet">{rules.length} rules</span>
        <span class="gap" />
        <Button small look="quiet" onClick={() => (view.value = "understand")}>
          See them work
        </Button>
        <Button small look="quiet" onClick={() => (view.value = "author")}>
          Edit rules
        </Button>
      </footer>
    </>
  )
}

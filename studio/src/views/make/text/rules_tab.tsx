/** The rules of a recipe that rewrites: each drawn small, with how often it was used in this level. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { TileGrid } from "../../../widgets/tile_grid"
import type { RulesSeen, RuleSeen, TileInfo, TimelineHead } from "../../../server/protocol"
import { ask } from "../../../server/connection"
import { level, type Level } from "../../../state/level"
import { view } from "../../../state/navigation"
import { editRules } from "../../../state/recipes"

/** A step with its rules. */
interface Ruled {
  step: string
  rules: RuleSeen[]
  problem: string
}
const seen = signal<{ number: number; steps: Ruled[] } | null>(null)

const stepsOf = (of: Level): string[] => of.head.steps.filter((one) => one.use === "rewrite").map((one) => one.id)

async function fetchRules(): Promise<void> {
  const now = level.peek()
  if (!now || seen.peek()?.number === now.number) return
  // Used so far means used in the whole level: rules are looked at after its last turn.
  const log = await ask<TimelineHead>("rules of the text", { do: "timeline", ...now.exact })
  if (log.kind !== "done") return
  const found: Ruled[] = []
  for (const step of stepsOf(now)) {
    const reply = await ask<RulesSeen>("rules of the text", { do: "explain", step, turn: Math.max(0, log.head.turns - 1), ...now.exact })
    if (level.peek()?.number !== now.number) return
    if (reply.kind === "done") found.push({ step, rules: reply.head.rules, problem: "" })
    else if (reply.kind === "problem") found.push({ step, rules: [], problem: reply.problem.problem })
    else return
  }
  seen.value = { number: now.number, steps: found }
}

export function RulesTab() {
  const now = level.value
  useEffect(() => void fetchRules(), [now?.number])
  const steps = seen.value?.steps ?? []
  const rules = steps.flatMap((one) => one.rules)
  const most = Math.max(1, ...rules.map((rule) => rule.fired))
  const only = steps.length === 1 ? steps[0] : undefined
  return (
    <>
      <div class="rules-tab">
        {steps.map((one) => (
          <section key={one.step} aria-label={`Rules of ${one.step}`}>
            {!only && (
              <header class="rules-step">
                <b>{one.step}</b>
                <span class="gap" />
                <Button small look="quiet" label={`Edit the rules of ${one.step}`} onClick={() => editRules(one.step)}>
                  Edit
                </Button>
              </header>
            )}
            {one.problem && <p class="second">{one.problem}</p>}
            <ul>
              {one.rules.map((rule) => (
                <Row key={rule.name} rule={rule} most={most} palette={now?.head.palette ?? []} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <footer class="panel-foot">
        <span class="quiet">{rules.length === 1 ? "1 rule" : `${rules.length} rules`}</span>
        <span class="gap" />
        <Button small look="quiet" onClick={() => (view.value = "understand")}>
          See them work
        </Button>
        {only && (
          <Button small look="quiet" onClick={() => editRules(only.step)}>
            Edit rules
          </Button>
        )}
      </footer>
    </>
  )
}

function Row({ rule, most, palette }: { rule: RuleSeen; most: number; palette: readonly TileInfo[] }) {
  const wide = Math.max(1, ...rule.pattern.map((row) => [...row].length))
  const size = Math.max(4, Math.min(11, Math.floor(76 / Math.max(wide, rule.pattern.length))))
  return (
    <li class="rules-row">
      <div class="rules-drawn">
        <TileGrid rows={rule.pattern} palette={palette} size={size} label={`pattern of ${rule.name}`} />
        <Icon name="right" small />
        <TileGrid rows={rule.results[0] ?? []} palette={palette} size={size} label={`result of ${rule.name}`} />
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
}

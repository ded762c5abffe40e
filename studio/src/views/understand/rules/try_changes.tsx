/** What could be changed about a rule. Each change is tried on a copy, and only what helped there is offered. */
import { Button } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { chosenRow } from "./explanations"
import { heavy, helps, keepChange, ruleChanges, outcomeOf, tryNow, type RuleChange } from "./rule_changes"
import { countText } from "../counts"

export function Try() {
  const possible = ruleChanges.value.filter((mend) => outcomeOf(mend)?.kind !== "failed")
  const list = possible.filter((mend) => outcomeOf(mend)?.kind !== "tried" || helps(outcomeOf(mend), chosenRow.value))
  const vain = possible.length - list.length
  if (!possible.length) return null
  return (
    <section class="under-try" aria-label="Try">
      <h3 class="caption">Try</h3>
      {list.map((mend) => (
        <ChangeButton key={mend.key} mend={mend} />
      ))}
      <p class="under-note">
        {list.length > 0 && "Each is tried on a copy first. "}
        {vain > 0 && (vain === 1 ? "One small change was tried on a copy and did not help." : `${vain} small changes were tried on a copy and did not help.`)}
      </p>
    </section>
  )
}

function ChangeButton({ mend }: { mend: RuleChange }) {
  const found = outcomeOf(mend)
  const before = chosenRow.value?.fired ?? 0
  const good = helps(found, chosenRow.value)
  const text =
    found?.kind === "tried"
      ? `On the copy it fires ${found.fires === 1 ? "once" : `${found.fires.toLocaleString("en")} times`}${before ? `, not ${before.toLocaleString("en")}` : ""}; ${countText(found.cells, "cell")} of this level ${found.cells === 1 ? "changes" : "change"}.`
      : found || !heavy.value
        ? "Trying it on a copy…"
        : "Press to try it on a copy."
  return (
    <div class="under-mend">
      <Button class="under-mend-button" disabled={!good && !(heavy.value && !found)} onClick={() => (good ? void keepChange(mend) : tryNow(mend))}>
        <span>{mend.words.map((word, at) => (word.strong === "name" ? <b key={at} class="info">{word.text}</b> : word.strong === "sign" ? <code key={at}>{word.text}</code> : word.text))}</span>
      </Button>
      <p class={"under-outcome" + (good ? " ok" : "")} role="status">
        {good && <Icon name="check" small />}
        {text}
      </p>
    </div>
  )
}

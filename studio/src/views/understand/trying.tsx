/** What could be changed about a rule. Each change is tried on a copy, and only what helped there can be kept. */
import { Button } from "../../parts/button"
import { Icon } from "../../parts/icons"
import { chosenRow } from "./explaining"
import { heavy, keep, mends, outcome, tryNow, type Mend } from "./mending"
import { many } from "./words"

export function Try() {
  const list = mends.value.filter((mend) => outcome(mend)?.kind !== "failed")
  if (!list.length) return null
  return (
    <section class="under-try" aria-label="Try">
      <h3 class="caption">Try</h3>
      {list.map((mend) => (
        <MendButton key={mend.key} mend={mend} />
      ))}
      <p class="under-note">Each is tried on a copy first.</p>
    </section>
  )
}

function MendButton({ mend }: { mend: Mend }) {
  const found = outcome(mend)
  const before = chosenRow.value?.fired ?? 0
  const text = found?.kind === "tried" ? (found.fires ? `On the copy it fires ${found.fires === 1 ? "once" : `${found.fires.toLocaleString("en")} times`}${before ? `, not ${before.toLocaleString("en")}` : ""}; ${many(found.cells, "cell")} of this level ${found.cells === 1 ? "changes" : "change"}.` : "On the copy it does not fire either.") : found || !heavy.value ? "Trying it on a copy…" : "Press to try it on a copy."
  const helps = found?.kind === "tried" && found.fires > 0
  return (
    <div class="under-mend">
      <Button class="under-mend-button" disabled={!helps && !(heavy.value && !found)} onClick={() => (helps ? void keep(mend) : tryNow(mend))}>
        <span>{mend.words.map((word, at) => (word.strong === "name" ? <b key={at} class="info">{word.text}</b> : word.strong === "sign" ? <code key={at}>{word.text}</code> : word.text))}</span>
      </Button>
      <p class={"under-outcome" + (helps ? " ok" : "")} role="status">
        {helps && <Icon name="check" small />}
        {text}
      </p>
    </div>
  )
}

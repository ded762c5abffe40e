/** A parameter that names layouts, rooms, sets or files: what is chosen, with pictures, and a dialog to choose. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { ChoiceDialog } from "../../../widgets/choice_dialog"
import { ChoicePicture } from "../../../widgets/choice_picture"
import { Icon } from "../../../widgets/icons"
import { choicesOf, loadChoices } from "../../../editor/words/facts"
import type { Choice, Param, Value } from "../../../server/protocol"
import { connection } from "../../../server/connection"
import { work } from "../../../state/work"
import { spokenName } from "./slider_range"

const SHOWN = 3

export function Picker({ param, value, onChange }: { param: Param; value: Value; onChange: (value: Value) => void }) {
  const open = useSignal(false)
  const { file = "", text = "" } = work.value ?? {}
  const many = param.kind === "list"
  const here = connection.value.kind === "open"
  const load = (): void => {
    if (param.picks) void loadChoices({ of: param.picks, file, text: work.peek()?.text ?? "" })
  }
  useEffect(() => {
    if (here) load()
  }, [here, file, param.picks])
  const choices: Choice[] | null = param.picks ? choicesOf({ of: param.picks, file, text }) : (param.choices ?? []).map((one) => ({ value: String(one), title: String(one), about: "", mine: false }))
  const chosen = (Array.isArray(value) ? value.map(String) : [String(value)]).filter(Boolean)
  const name = spokenName(param.name)
  const said = chosen.length === 0 ? "none" : chosen.join(", ")
  const shown = chosen.length > 2 ? `${chosen.length} of ${choices?.length ?? "many"}` : said
  return (
    <div class="turned" data-turned={param.name} title={param.about}>
      <button type="button" class="turned-pick" aria-haspopup="dialog" aria-label={`Choose ${name}: ${shown}${shown === said ? "" : `: ${said}`}`} onClick={() => { load(); open.value = true }}>
        <span class="turned-head">
          <span class="turned-name">{name}</span>{" "}
          <span class="turned-picked">
            {shown}
            <Icon name="down" small />
          </span>
        </span>
        <span class="turned-pictures">
          {chosen.slice(0, SHOWN).map((one) => {
            const found = choices?.find((choice) => choice.value === one)
            return found?.rows && <ChoicePicture key={one} of={found} width={58} height={38} />
          })}
        </span>
      </button>
      {open.value && <ChoiceDialog title={name} about={param.about} choices={choices} chosen={chosen} many={many} typed onChange={(next) => onChange(many ? next : (next[0] ?? ""))} onClose={() => (open.value = false)} />}
    </div>
  )
}

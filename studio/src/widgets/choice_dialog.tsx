/** Choosing by picture: one of a list, or several. What is chosen takes effect at once. */
import { useSignal } from "@preact/signals"
import { Button } from "./button"
import { ChoicePicture, type PicturedChoice } from "./choice_picture"
import { Search } from "./choices"
import { Dialog } from "./dialog"
import { LineInput } from "./line_input"

interface Props {
  title: string
  about?: string
  /** Null until the server has answered. */
  choices: readonly PicturedChoice[] | null
  chosen: readonly string[]
  /** Several can be chosen. */
  many?: boolean
  /** Names that are not in the list can be typed. */
  typed?: boolean
  onChange: (chosen: string[]) => void
  onClose: () => void
}

/** The choice after a press: what goes with no other replaces all, and is replaced. */
export function afterPress(of: PicturedChoice, chosen: readonly string[], many: boolean, choices: readonly PicturedChoice[]): string[] {
  if (chosen.includes(of.value)) return chosen.filter((value) => value !== of.value)
  if (!many || of.alone) return [of.value]
  return [...chosen.filter((value) => !choices.find((one) => one.value === value)?.alone), of.value]
}

export function ChoiceDialog({ title, about, choices, chosen, many = false, typed = false, onChange, onClose }: Props) {
  const query = useSignal("")
  const known = choices ?? []
  const other = chosen.filter((value) => !known.some((one) => one.value === value)).map((value): PicturedChoice => ({ value, title: value, about: "", mine: true }))
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...known, ...other].filter((one) => words.every((word) => `${one.title} ${one.value} ${one.about}`.toLowerCase().includes(word)))
  const press = (one: PicturedChoice): void => {
    const next = afterPress(one, chosen, many, known)
    if (many || typed || next.length) onChange(next)
    if (!many) onClose()
  }
  return (
    <Dialog label={`Choose ${title}`} title={title} class="choice-dialog" aside={<Search small label="Find" value={query.value} onInput={(value) => (query.value = value)} />} onClose={onClose}>
      <div class="dialog-body choice-body">
        {about && <p class="second">{about}</p>}
        {[false, true].map((mine) => {
          const group = found.filter((one) => one.mine === mine)
          return (
            group.length > 0 && (
              <section key={String(mine)} aria-label={mine ? "In the project" : "Ours"}>
                {found.some((one) => one.mine !== mine) && <h3 class="caption">{mine ? "In the project" : "Ours"}</h3>}
                <ul class="choice-cards">
                  {group.map((one) => (
                    <li key={one.value}>
                      <button type="button" class="choice-card" aria-pressed={chosen.includes(one.value)} aria-label={one.about ? `${one.title}: ${one.about}` : one.title} title={one.note} onClick={() => press(one)}>
                        <ChoicePicture of={one} width={132} height={84} />
                        <b>{one.title}</b>{" "}
                        {one.about && <span>{one.about}</span>}
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            )
          )
        })}
        {choices && found.length === 0 && <p class="second">{query.value ? "Nothing is called that." : "There is nothing to choose from here."}</p>}
      </div>
      {typed && (
        <footer class="dialog-foot">
          <label class="choice-typed">
            <span class="quiet">{many ? "Names and files, as the text has them" : "Or a name, as the text has it"}</span>
            <LineInput aria-label={`${title}, typed`} value={chosen.join(", ")} onTake={(text) => onChange((many ? text.split(",") : [text]).map((word) => word.trim()).filter(Boolean))} />
          </label>
          <Button look="main" onClick={onClose}>
            Done
          </Button>
        </footer>
      )}
    </Dialog>
  )
}

/** One recipe of many, chosen by its picture. */
import { useSignal } from "@preact/signals"
import type { RecipeCard } from "../server/protocol"
import { workOfCard } from "../state/recipes"
import { roughSource, thumbnailOf } from "../state/thumbnails"
import { ChoiceDialog } from "./choice_dialog"
import { Icon } from "./icons"

interface Props {
  label: string
  /** On the button, if not the title of the value. */
  text?: string | undefined
  value: string
  /** Those without a recipe are other choices, such as none. */
  options: readonly { value: string; title: string; recipe?: RecipeCard }[]
  onChange: (value: string) => void
}

const PICTURE_SEED = "1"

export function RecipeMenu({ label, text, value, options, onChange }: Props) {
  const open = useSignal(false)
  const title = text ?? options.find((one) => one.value === value)?.title ?? value
  const choices = () =>
    options.map(({ recipe, ...one }) => ({ ...one, about: recipe?.about ?? "", mine: recipe?.origin === "mine", ...(recipe ? { level: thumbnailOf(roughSource(workOfCard(recipe, PICTURE_SEED))) } : {}) }))
  return (
    <>
      <button type="button" class="recipe-menu" aria-haspopup="dialog" aria-label={`${label}: ${title}`} onClick={() => (open.value = true)}>
        {title}
        <Icon name="down" small />
      </button>
      {open.value && <ChoiceDialog title={label} choices={choices()} chosen={[value]} onChange={([to]) => to !== undefined && onChange(to)} onClose={() => (open.value = false)} />}
    </>
  )
}

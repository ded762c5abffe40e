/** The options of a format, with a control for each. */
import { Chip } from "../../widgets/button"
import { Menu, Switch } from "../../widgets/choices"
import { LineInput } from "../../widgets/line_input"
import type { FormatCard, Value } from "../../server/protocol"
import { greeting } from "../../server/connection"
import { styles } from "../../state/picture"
import { optionsOf, stylesFor, setOption } from "./choices"

/** Options with a few values, the usual one first. */
const CHOICES: Record<string, { label: string; of: (string | number)[] }> = {
  paper: { label: "Paper", of: ["a4", "a3", "letter", "tabloid"] },
  encoding: { label: "Tiles written as", of: ["csv", "zlib"] },
  view: { label: "Picture for", of: ["player", "gm"] },
  image: { label: "Picture as", of: ["png", "webp", "none"] },
  lights: { label: "Lights", of: ["things", "rooms", "none"] },
  version: { label: "Foundry", of: [14, 13] },
}
const SWITCHES: Record<string, string> = { names: "Names instead of numbers", smooth: "Smooth cave walls" }
/** Options that are numbers or words; the placeholder is the default. */
const WORDS: Record<string, { label: string; empty: string }> = {
  cell: { label: "Pixels a cell", empty: "as suits" },
  margin: { label: "Margin, cells", empty: "as usual" },
  frames: { label: "Frames, at most", empty: "240" },
  scale: { label: "Metres a cell", empty: "1.5" },
  height: { label: "Height of walls", empty: "3" },
  pad: { label: "Pad with tiles", empty: "nothing" },
  folder: { label: "Folder in Foundry", empty: "none" },
  room_size: { label: "Room size, pixels", empty: "as usual" },
}

export function Options({ card }: { card: FormatCard }) {
  const told = optionsOf(card)
  const known = card.options.filter((name) => name !== "hide" || !card.options.includes("show"))
  if (known.length === 0) return null
  return (
    <div class="exp-options">
      {known.map((name) => (
        <Option key={name} card={card} name={name} value={told[name]} />
      ))}
    </div>
  )
}

function Option({ card, name, value }: { card: FormatCard; name: string; value: Value | undefined }) {
  if (name === "style") {
    const usual = card.name === "png" || card.name === "svg" ? [] : [{ value: "", title: "as usual" }]
    return (
      <div class="exp-option">
        <span>Style</span>
        <Menu small label="Style" value={String(value ?? "")} options={[...usual, ...stylesFor(card, styles.value).map((one) => ({ value: one, title: one }))]} onChange={(one) => setOption(card, "style", one || null)} />
      </div>
    )
  }
  if (name === "show") return <Parts card={card} />
  if (name === "hide") return <Field card={card} name="hide" label="Leave out" empty="nothing" value={Array.isArray(value) ? value.join(", ") : ""} list />
  const choice = CHOICES[name]
  if (choice)
    return (
      <div class="exp-option">
        <span>{choice.label}</span>
        <Menu
          small
          label={choice.label}
          value={String(value ?? choice.of[0])}
          options={choice.of.map((one) => ({ value: String(one), title: String(one) }))}
          onChange={(one) => setOption(card, name, one === String(choice.of[0]) ? null : typeof choice.of[0] === "number" ? Number(one) : one)}
        />
      </div>
    )
  if (SWITCHES[name])
    return (
      <div class="exp-option">
        <Switch label={SWITCHES[name]} value={value === true} onChange={(on) => setOption(card, name, on ? true : null)} />
      </div>
    )
  const words = WORDS[name] ?? { label: name.replaceAll("_", " "), empty: "as usual" }
  return <Field card={card} name={name} label={words.label} empty={words.empty} value={value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value)} list={name === "room_size"} />
}

function Field({ card, name, label, empty, value, list }: { card: FormatCard; name: string; label: string; empty: string; value: string; list?: boolean }) {
  const read = (text: string): Value | null => {
    const one = (word: string): number | string => (/^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word)
    const trimmed = text.trim()
    return trimmed === "" ? null : list ? trimmed.split(/[\s,x×]+/).filter(Boolean).map(one) : one(trimmed)
  }
  return (
    <label class="exp-option">
      <span>{label}</span>
      <span class="field small">
        <LineInput aria-label={label} placeholder={empty} value={value} onTake={(written) => setOption(card, name, read(written))} />
      </span>
    </label>
  )
}

/** What a picture shows: what its style shows by itself is on, and can be left out; what it could show can be added. */
function Parts({ card }: { card: FormatCard }) {
  const told = optionsOf(card)
  const of = greeting.value?.styles.find((one) => one.name === (told.style ?? (card.name.startsWith("pdf") ? "print" : "dark")))
  if (!of) return null
  const [show, hide] = [stringList(told.show), stringList(told.hide)]
  const usual = (part: string): boolean => of.shown.includes(part) || of.beside[part] === true
  const on = (part: string): boolean => !hide.includes(part) && (show.includes(part) || usual(part))
  const turn = (part: string): void => {
    const without = (all: string[]): string[] => all.filter((one) => one !== part)
    setOption(card, "show", usual(part) || on(part) ? without(show) : [...show, part])
    setOption(card, "hide", usual(part) && on(part) ? [...hide, part] : without(hide))
  }
  return (
    <div class="exp-parts" role="group" aria-label="Shown on the picture">
      {[...of.parts, ...Object.keys(of.beside)].map((part) => (
        <Chip key={part} on={on(part)} onClick={() => turn(part)}>
          {part}
        </Chip>
      ))}
    </div>
  )
}

const stringList = (value: Value | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])

/** The bar above the drawing: name, kind, how often, in which positions; below it the words that only some rules have. */
import { EditorView } from "@codemirror/view"
import { Button } from "../../../../widgets/button"
import { Menu, Segmented } from "../../../../widgets/choices"
import { LineInput } from "../../../../widgets/line_input"
import type { Kind, Rule } from "../text/anatomy"
import { chanceOf, limitOf, otherWords, positionsOf, ruleWordAbout, weightOf, withChance, withKind, withLimit, withName, withPositions, withWeight } from "../text/edit_words"
import { edit, future, outline, past, redo, undo } from "../state"
import { editor } from "../text/text_actions"

const KINDS: { value: Kind; title: string; label: string }[] = [
  { value: "one", title: "one", label: "one: one match a turn, at random" },
  { value: "all", title: "all", label: "all: every match a turn, in random order, none over another" },
  { value: "parallel", title: "parallel", label: "parallel: every match at once" },
]
const POSITIONS = [
  { value: "as drawn", title: "as drawn" },
  { value: "turned", title: "turned", label: "turned: in four quarter turns" },
  { value: "mirrored", title: "mirrored", label: "mirrored: left and right changed" },
  { value: "turned and mirrored", title: "both", label: "both: turned and mirrored, all eight positions" },
]
const RARE_POSITIONS = ["mirrored up-down", "mirrored both ways"]

/** A number that may be left out. */
function NumberField({ label, before, after, value, onChange, empty }: { label: string; before?: string; after?: string; value: number | null; onChange: (value: number | null) => void; empty?: string }) {
  return (
    <label class="field ar-number">
      {before && <span class="quiet">{before}</span>}
      <LineInput
        class="mono"
        inputMode="decimal"
        aria-label={label}
        placeholder={empty}
        value={value ?? ""}
        onTake={(written) => {
          const number = Number(written)
          if (!written.trim()) onChange(null)
          else if (Number.isFinite(number) && number >= 0) onChange(number)
        }}
        onStep={value === null ? undefined : (to) => onChange(Math.max(1, to))}
      />
      {after && <span class="quiet">{after}</span>}
    </label>
  )
}

export function RuleBar({ rule }: { rule: Rule }) {
  const several = rule.node.rules.length > 1
  const positions = positionsOf(rule)
  const usual = POSITIONS.some((one) => one.value === positions)
  const many = several ? `, for all ${rule.node.rules.length} rules of ${rule.node.name || "this node"}` : ""
  const limit = limitOf(rule)
  return (
    <header class="ar-bar">
      <label class="field ar-name">
        <LineInput
          aria-label="Name of the rule"
          placeholder="no name"
          value={rule.head ? rule.name : several ? "" : rule.node.name}
          onTake={(name) => edit(withName(outline.peek(), rule, name.split(/\s+/).join(" ").trim()))}
        />
      </label>
      <Segmented label={"How matches are used" + many} value={rule.node.kind} options={KINDS} onChange={(kind) => edit(withKind(outline.peek(), rule, kind))} />
      <NumberField
        label={several ? "How many times this rule may be used" : "How many turns it may take"}
        before="up to"
        after={limit === 1 ? "time" : "times"}
        empty="any"
        value={limit}
        onChange={(value) => edit(withLimit(outline.peek(), rule, value === null || value < 1 ? null : Math.round(value)), { of: "limit" })}
      />
      <Segmented label="Positions" value={usual ? positions : ""} options={POSITIONS} onChange={(value) => edit(withPositions(outline.peek(), rule, value))} />
      <span class={usual ? "ar-rare" : "ar-rare on"}>
      <Menu
        label="More positions"
        value={usual ? "" : positions}
        options={[{ value: "", title: "the usual" }, ...RARE_POSITIONS.map((value) => ({ value, title: value })), ...(usual || RARE_POSITIONS.includes(positions) ? [] : [{ value: positions, title: positions }])]}
        onChange={(value) => value && edit(withPositions(outline.peek(), rule, value))}
      />
      </span>
      <span class="gap" />
      <Button icon="undo" label="Undo" keys={["Ctrl", "Z"]} look="quiet" disabled={past.value.length === 0} onClick={() => undo()} />
      <Button icon="redo" label="Redo" keys={["Ctrl", "Y"]} look="quiet" disabled={future.value.length === 0} onClick={() => redo()} />
    </header>
  )
}

/** Chance, weight, guards and places: shown if the text has them, or they apply here. */
export function MoreWords({ rule }: { rule: Rule }) {
  const others = otherWords(rule)
  const chance = rule.node.kind !== "one" || ruleWordAbout(rule, "chance") !== null
  const weight = rule.node.rules.length > 1 || ruleWordAbout(rule, "weight") !== null
  if (!chance && !weight && others.length === 0) return null
  const goTo = (line: number, from: number): void => {
    const view = editor.peek()
    if (!view) return
    const at = view.state.doc.line(line + 1).from + from
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) })
    view.focus()
  }
  return (
    <div class="ar-more" role="group" aria-label="More about this rule">
      {weight && <NumberField label="Weight of the rule among its node's" before="weight" value={weightOf(rule)} onChange={(value) => edit(withWeight(outline.peek(), rule, Math.round(value ?? 1)), { of: "weight" })} />}
      {chance && <NumberField label="Chance that a match is used, in per cent" before="chance" after="%" value={chanceOf(rule)} onChange={(value) => edit(withChance(outline.peek(), rule, Math.min(100, value ?? 100)), { of: "chance" })} />}
      {others.map((word) => (
        <button key={word.line + word.text} type="button" class="chip ar-word mono" title="Show it in the text" onClick={() => goTo(word.line, word.from)}>
          {word.text}
        </button>
      ))}
    </div>
  )
}

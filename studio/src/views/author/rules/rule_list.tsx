/** The rules of the file, in order, each with how it stands: expectations kept or not, warnings. */
import { useRef } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { say } from "../../../state/navigation"
import { rulesMeantBy, ruleName, outlineOf, type Rule, type Surround } from "./text/anatomy"
import { withNewRule, withRuleCopied, withRuleMoved, withoutRule } from "./text/edit_nodes"
import { conflict, dialog, saveOrAsk } from "./files"
import { ruleReading, expectationAt, goodReading } from "./reading"
import { changed, doc, edit, outline, rule as chosenRule } from "./state"
import { choose } from "./text/text_actions"

export interface Standing {
  tests: number
  failed: number
  /** Whether all of them were tried on this very text. */
  tried: boolean
  warnings: number
}

/** How a rule stands. */
export function ruleStanding(rule: Rule): Standing {
  const mine = outline.value.expects.filter((expect) => rulesMeantBy(expect, outline.value)?.rules.includes(rule))
  const results = mine.map((expect) => expectationAt(expect.line))
  return {
    tests: mine.length,
    failed: results.filter((one) => one?.passed === false).length,
    tried: results.every((one) => one !== null),
    warnings: ruleReading(rule)?.notes.filter((note) => note.level !== "ok").length ?? 0,
  }
}

/** What an edit of the whole list does, with the rule that is chosen afterwards. */
function applyEdit(text: string | null, index: number): void {
  if (text === null) return
  edit(text, { choose: Math.max(0, Math.min(outlineOf(text).rules.length - 1, index)) })
  choose(Math.max(0, Math.min(outlineOf(text).rules.length - 1, index)))
}

export function addRule(): void {
  const { text, name } = withNewRule(outline.peek(), chosenRule.peek())
  applyEdit(text, outlineOf(text).rules.findIndex((rule) => rule.name === name))
}
export function copyRule(): void {
  const now = chosenRule.peek()
  if (now) applyEdit(withRuleCopied(outline.peek(), now).text, now.index + 1)
}
export function removeRule(): void {
  const now = chosenRule.peek()
  if (!now) return
  applyEdit(withoutRule(outline.peek(), now), now.index)
  say(`${ruleName(now)} is gone. Undo brings it back.`)
}
export function moveRule(by: -1 | 1): void {
  const now = chosenRule.peek()
  const text = now && withRuleMoved(outline.peek(), now, by)
  if (!now || text === null) return
  const rules = outlineOf(text).rules
  const same = (one: Rule): boolean => one.name === now.name && one.node.kind === now.node.kind && outlineOf(text).lines[one.first]?.text === outline.peek().lines[now.first]?.text
  const at = rules.findIndex((one, index) => same(one) && Math.sign(index - now.index) === by)
  applyEdit(text, at < 0 ? now.index + by : at)
}

function Status({ rule }: { rule: Rule }) {
  const { tests, failed, tried, warnings } = ruleStanding(rule)
  return (
    <>
      {warnings > 0 && (
        <span class="accent" role="img" aria-label={`${warnings} ${warnings === 1 ? "warning" : "warnings"}`} title="The linter has something to say about it">
          <Icon name="warn" small />
        </span>
      )}
      {tests === 0 ? (
        <span class="quiet ar-untested">no test</span>
      ) : failed > 0 ? (
        <span class="bad" role="img" aria-label={`${failed} of ${tests} expectations fail`}>
          <Icon name="cross" />
        </span>
      ) : (
        <span class={tried ? "ok" : "quiet"} role="img" aria-label={tried ? `${tests} ${tests === 1 ? "expectation holds" : "expectations hold"}` : "not tried yet"}>
          <Icon name="check" />
        </span>
      )}
    </>
  )
}

const sameBlocks = (a: readonly Surround[], b: readonly Surround[]): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at]?.line === b[at]?.line) at++
  return at
}

export function RuleList() {
  const list = useRef<HTMLUListElement>(null)
  const { rules } = outline.value
  const now = chosenRule.value
  const included = goodReading.value?.head.rules.filter((drawn) => drawn.line === 0) ?? []
  let around: readonly Surround[] = []
  let node: Rule["node"] | null = null
  return (
    <section class="ar-list" aria-label="Rules of the file">
      <ul
        ref={list}
        role="listbox"
        aria-label="Rules"
        tabIndex={0}
        data-arrows
        aria-activedescendant={now ? `ar-rule-${now.index}` : undefined}
        onKeyDown={(event) => {
          const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined
          if (by !== undefined && now) {
            if (event.altKey) moveRule(by)
            else choose(Math.max(0, Math.min(rules.length - 1, now.index + by)))
          } else if (event.key === "Delete") removeRule()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        {rules.map((rule) => {
          const heads = []
          const common = sameBlocks(around, rule.node.within)
          for (const block of rule.node.within.slice(common))
            heads.push(
              <li key={"block" + block.line} class="ar-block-row" role="presentation" style={{ paddingLeft: 16 + rule.node.within.indexOf(block) * 12 }}>
                <span class="mono">{block.word}</span> {block.name}
              </li>,
            )
          around = rule.node.within
          const deep = rule.node.within.length
          if (rule.node.rules.length > 1 && node !== rule.node)
            heads.push(
              <li key={"node" + rule.node.first} class="ar-block-row" role="presentation" style={{ paddingLeft: 16 + deep * 12 }}>
                <span class="mono">{rule.node.kind}</span> {rule.node.name || "of these"}
              </li>,
            )
          node = rule.node
          const inner = rule.node.rules.length > 1
          return (
            <>
              {heads}
              <li
                key={rule.index}
                id={`ar-rule-${rule.index}`}
                role="option"
                aria-selected={rule === now}
                class={"ar-rule" + (rule === now ? " on" : "")}
                style={{ paddingLeft: 16 + (deep + (inner ? 1 : 0)) * 12 }}
                onClick={() => choose(rule.index)}
                ref={rule === now ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
              >
                {!inner && <span class="ar-kind mono">{rule.node.kind}</span>}
                <span class={"ar-rule-name" + (rule.name ? "" : " quiet")} title={ruleName(rule)}>
                  {ruleName(rule)}
                </span>
                <span class="gap" />
                <Status rule={rule} />
              </li>
            </>
          )
        })}
        {included.map((drawn, at) => (
          <li key={"included" + at} class="ar-rule included" role="presentation" title="It stands in an included file">
            <span class="ar-kind mono">{drawn.kind}</span>
            <span class="ar-rule-name quiet">{drawn.name}</span>
            <span class="gap" />
            <span class="quiet ar-untested">included</span>
          </li>
        ))}
        {rules.length === 0 && <li class="second ar-none" role="presentation">There is no rule yet.</li>}
      </ul>
      <div class="ar-list-tools" role="toolbar" aria-label="The chosen rule">
        <Button small look="quiet" icon="up" label="Move the rule up" disabled={!now} onClick={() => moveRule(-1)} />
        <Button small look="quiet" icon="downward" label="Move the rule down" disabled={!now} onClick={() => moveRule(1)} />
        <Button small look="quiet" icon="copy" label="Copy the rule" disabled={!now} onClick={copyRule} />
        <Button small look="quiet" icon="cross" label="Delete the rule" disabled={!now} onClick={removeRule} />
        <span class="gap" />
        <span class="quiet">
          {rules.length} {rules.length === 1 ? "rule" : "rules"}
        </span>
      </div>
    </section>
  )
}

/** The file's name, which opens others; save, and a new rule. */
export function FileHead() {
  const now = doc.value
  return (
    <header class="ar-file">
      <button type="button" class="ar-file-name mono" aria-haspopup="dialog" title="Open another, or begin a new one" onClick={() => (dialog.value = "open")}>
        <span>{now?.file ?? "no file"}</span>
        <Icon name="down" small />
      </button>
      {changed.value && <span class={"text-dot" + (conflict.value ? " bad" : "")} role="img" aria-label="changed and not saved" title={now?.saved === null ? "Not saved yet" : "Changed and not saved"} />}
      <span class="gap" />
      <Button small look="quiet" icon="save" label="Save" keys={["Ctrl", "S"]} disabled={!changed.value} onClick={() => void saveOrAsk()} />
      <Button small look="quiet" icon="plus" label="New rule" keys={["N"]} onClick={addRule} />
    </header>
  )
}

/** Author, rules: the rules of a file, one of them drawn, its text beside it, a run on a map, and what is expected of it. */
import type { EditorView } from "@codemirror/view"
import { useEffect } from "preact/hooks"
import { useCommands } from "../../../shell/commands"
import { applyFix, nextProblem } from "../../../editor/problem_lens"
import { useKeys } from "../../../shell/keys"
import { Button } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { connection } from "../../../server/connection"
import { About } from "./about"
import { ruleName } from "./text/anatomy"
import { MoreWords, RuleBar } from "./drawing/rule_bar"
import { Dialogs } from "./file_dialogs"
import { Drawing } from "./drawing/drawing"
import { expectFromRule, stopPicking } from "./trial/expect"
import { Expectations } from "./trial/expectations"
import { openFirstFile, conflict, dialog, keepMine, reload, revert, saveOrAsk } from "./files"
import { addRule, copyRule, FileHead, moveRule, removeRule, RuleList } from "./rule_list"
import { TilePalette } from "./drawing/tile_palette"
import { RunPane, shuffle } from "./trial/run_pane"
import { behind } from "./reading"
import { map, picking, sideBySide } from "./trial/run_map"
import { useInRecipe } from "./trial/use_in_recipe"
import { chosen, doc, outline, redo, rule, undo } from "./state"
import { choose, editor } from "./text/text_actions"
import { TextPane } from "./text/text_pane"
import { Variants } from "./drawing/variants"

const step = (by: number): void => choose(Math.max(0, Math.min(outline.peek().rules.length - 1, chosen.peek() + by)))

export function AuthorRules() {
  const online = connection.value.kind === "open"
  useEffect(() => {
    if (online) void openFirstFile()
  }, [online])
  useKeys({
    shuffle,
    undo: () => void undo(),
    redo: () => void redo(),
    save: () => void saveOrAsk(),
    saveAs: () => void (dialog.value = "save"),
    fix: () => editor.peek() && applyFix(editor.peek() as EditorView),
    problem: () => editor.peek() && nextProblem(editor.peek() as EditorView),
    newRule: addRule,
    ruleUp: () => step(-1),
    ruleDown: () => step(1),
    expectRule: () => void expectFromRule(),
    expectMap: () => (picking.value = !picking.peek()),
    fit: () => map.fit(),
    closer: () => map.zoom(1.25),
    further: () => map.zoom(0.8),
    ...(picking.value ? { stop: stopPicking } : {}),
  })
  useCommands(() => [
    { label: "Open a rule file", kind: "file", run: () => (dialog.value = "open") },
    { label: "Back to the file on disk", kind: "file", run: revert },
    { label: "Use these rules in the recipe of Make", kind: "file", run: useInRecipe },
    { label: "Copy the rule", kind: "rule", run: copyRule },
    { label: "Delete the rule", kind: "rule", run: removeRule },
    { label: "Move the rule up", kind: "rule", run: () => moveRule(-1) },
    { label: "Move the rule down", kind: "rule", run: () => moveRule(1) },
    ...outline.peek().rules.map((one) => ({ label: `Go to ${ruleName(one)}`, kind: "rule", run: () => choose(one.index) })),
  ])
  const now = rule.value
  if (!doc.value) return <section class="ar ar-empty" aria-busy="true" />
  return (
    <div class="ar" data-behind={behind.value ? "yes" : "no"}>
      <h2 class="unseen">Rules</h2>
      <aside class="panel ar-left" aria-label="Rules of the file">
        <FileHead />
        <RuleList />
        <TilePalette />
      </aside>
      <div class="ar-middle">
        <Changed />
        {now ? <RuleBar rule={now} /> : <header class="ar-bar" />}
        <div class="ar-scroll">
          {now ? (
            <>
              <MoreWords rule={now} />
              <Drawing rule={now} />
              <Variants rule={now} />
            </>
          ) : (
            <div class="ar-drawing">
              <p class="second ar-undrawn">There is no rule in this text yet.</p>
              <Button icon="plus" onClick={addRule}>
                New rule
              </Button>
            </div>
          )}
          <div class={"ar-lower" + (sideBySide.value ? " both" : "")} key="lower">
            <TextPane />
            <RunPane />
          </div>
        </div>
      </div>
      <aside class="panel ar-right" aria-label="About the rule">
        {now && (
          <>
            <Expectations rule={now} />
            <About rule={now} />
          </>
        )}
      </aside>
      <Dialogs />
    </div>
  )
}

/** The file was changed elsewhere, and here too: which one it shall be. */
function Changed() {
  const other = conflict.value
  if (!other || other.file !== doc.value?.file) return null
  return (
    <div class="banner ar-changed" role="alert">
      <Icon name="warn" />
      <div class="banner-text">
        <b>{other.text === null ? `${other.file} is no longer on disk.` : `${other.file} was changed on disk.`}</b>
        <span>{other.text === null ? "What you have here is kept; saving writes it again." : "You have changes here too."}</span>
      </div>
      <span class="gap" />
      {other.text !== null && (
        <Button small onClick={reload}>
          Reload
        </Button>
      )}
      <Button small onClick={keepMine}>
        Keep mine
      </Button>
    </div>
  )
}

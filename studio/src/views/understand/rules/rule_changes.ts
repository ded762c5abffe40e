/**
 * Changes that may help a rule: found from what the server says about it, written into a copy of the text, and tried there.
 *
 * Only what helped on the copy can be kept. Rules in the recipe are changed in its text, where it can be undone; rules in a file are saved to that file.
 */
import { computed, effect, signal, untracked } from "@preact/signals"
import type { FileText, RulesRead, RuleSeen, Source, TimelineHead } from "../../../server/protocol"
import { ask, connection, post } from "../../../server/connection"
import { withRules } from "../../../project/inline_rules"
import { makeAgain } from "../../../state/level"
import { say, view } from "../../../state/navigation"
import { stepRules, typeText } from "../../../state/recipes"
import { settle, work } from "../../../state/work"
import { chosenRow, miss, type Row } from "./explanations"
import { WriteLog } from "../timeline/write_log"
import { withTileAccepted, movedAbove, withWord, type Drawn } from "./rule_text"
import { unturned } from "./variant_shapes"
import { forgetLog, run, side, type Run } from "../state"
import { dependOn } from "../../../state/depend_on"

export interface RuleChange {
  key: string
  /** Words of the button; those in `strong` are names and signs. */
  words: { text: string; strong?: "name" | "sign" }[]
  /** The rules with the change; null if it cannot be written. */
  text: (rules: string, read: RulesRead, rule: Drawn) => string | null
}

/** Whether a change that was tried makes a rule fire more often than it does now. */
export const helps = (found: Outcome | undefined, row: Row | null): boolean => found?.kind === "tried" && found.fires > (row?.fired ?? 0)

export type Outcome =
  | { kind: "trying" }
  | { kind: "tried"; fires: number; cells: number; recipe: string; /** The text it was tried on. */ of: string; file: { path: string; text: string; seen: string } | null }
  | { kind: "failed"; why: string }

/** Changes that could be tried for the chosen rule. */
export const ruleChanges = computed<RuleChange[]>(() => {
  const row = chosenRow.value
  const seen = row?.seen
  // What works needs no repair.
  if (!row || !seen || side.value !== "rule" || (row.fired > 0 && seen.matches > 0)) return []
  return [...moveAboveChanges(row.rule, seen), ...acceptTileChanges(seen, miss.value), ...outsideChanges(seen)]
})

function moveAboveChanges(rule: string, seen: RuleSeen): RuleChange[] {
  const text = seen.findings.find((one) => one.kind === "consumed")?.text ?? ""
  const taker = /wherever it matches, (.+) matches too, and that comes first/.exec(text)?.[1]?.split(" or ")[0]
  if (!taker) return []
  return [
    {
      key: `above ${taker}`,
      words: [{ text: "Move " }, { text: rule, strong: "name" }, { text: " above " }, { text: taker, strong: "name" }],
      text: (rules, read, mine) => {
        const other = (read.rules as Drawn[]).find((one) => one.name === taker)
        return other ? movedAbove(rules, mine, other) : null
      },
    },
  ]
}

function acceptTileChanges(seen: RuleSeen, index: number): RuleChange[] {
  const near = seen.nearest[index] ?? seen.nearest[0]
  const wrong = near?.wrong[0]
  if (!near || !wrong || near.wrong.length > 1 || [...wrong.found].length !== 1) return []
  const cell = unturned(wrong.cell, near.variant, seen.size)
  return [
    {
      key: `accept ${cell.join()} ${wrong.found}`,
      words: [{ text: "Accept " }, { text: wrong.wanted, strong: "sign" }, { text: " or " }, { text: wrong.found, strong: "sign" }, { text: " in that cell" }],
      text: (rules, read, mine) => {
        const tile = read.tiles.find((one) => one.glyph === wrong.found || (one.glyph === " " && wrong.found === "X"))
        return tile ? withTileAccepted(rules, read, mine, cell, tile.name) : null
      },
    },
  ]
}

function outsideChanges(seen: RuleSeen): RuleChange[] {
  const text = seen.findings.find((one) => one.kind === "leaves")?.text ?? ""
  const tile = /'outside (.+?)' would let it match/.exec(text)?.[1]
  if (!tile) return []
  return [
    {
      key: `outside ${tile}`,
      words: [{ text: "Let it reach over the border, as if " }, { text: tile, strong: "sign" }, { text: " stood outside" }],
      text: (rules, _, mine) => withWord(rules, mine, `outside ${tile}`),
    },
  ]
}

/* ---- trying ---- */

const outcomes = signal<ReadonlyMap<string, Outcome>>(new Map())
const keyOf = (now: Run, row: Row, mend: RuleChange): string => `${now.level.number} ${row.step}: ${row.rule} ${mend.key}`

export const outcomeOf = (mend: RuleChange): Outcome | undefined => {
  const now = run.value
  const row = chosenRow.value
  return now && row ? outcomes.value.get(keyOf(now, row, mend)) : undefined
}

let busy = false
let waiting: ReturnType<typeof setTimeout> | undefined

/** A long run is tried only on request. */
export const heavy = computed(() => (run.value?.log.turns ?? 0) > 20_000 || (run.value?.level.tiles.length ?? 0) > 40_000)

/** Try a change now. */
export function tryNow(mend: RuleChange): void {
  const now = run.peek()
  const row = chosenRow.peek()
  if (now && row && !busy) void attempt(now, row, mend)
}

// After a short pause on a rule, the changes that might help are tried one after the other.
effect(() => {
  const row = chosenRow.value
  const now = run.value
  const list = ruleChanges.value
  dependOn(outcomes.value)
  if (!row || !now || !list.length || heavy.value || view.value !== "understand" || connection.value.kind !== "open") return
  untracked(() => {
    clearTimeout(waiting)
    const next = list.find((mend) => !outcomes.peek().has(keyOf(now, row, mend)))
    if (!next || busy) return
    waiting = setTimeout(() => void attempt(now, row, next), 250)
  })
})

async function attempt(now: Run, row: Row, mend: RuleChange): Promise<void> {
  const key = keyOf(now, row, mend)
  const put = (what: Outcome): void => {
    outcomes.value = new Map([...[...outcomes.peek()].slice(-100), [key, what]])
  }
  busy = true
  put({ kind: "trying" })
  const found = await tryChange(now, row, mend)
  busy = false
  put(found)
}

interface RulesText {
  rules: string
  read: RulesRead
  /** The whole recipe with other rules. */
  recipe: (rules: string) => string | null
  file: FileText | null
}

/** Where the rules are written: in the recipe, or in a file of the project beside it. */
async function findRules(step: string): Promise<RulesText | string> {
  const held = work.peek()
  if (!held) return "there is no recipe"
  const at = stepRules({ recipe: held.file, step })
  if (!at) return "these rules stand in no text that could be changed here"
  let rules = at.text
  let file: FileText | null = null
  let name = `${step}.rules`
  if (at.key === "file") {
    name = held.file.replace(/[^/]*$/, "") + at.text
    const got = await post<FileText>("/api/files/read", { path: name })
    if (!got.ok) return "these rules stand in a file that is not of this project"
    file = got.value
    rules = file.text
  }
  const reply = await ask<RulesRead>("mend rules", { do: "rules", text: rules, file: name })
  if (reply.kind !== "done") return reply.kind === "problem" ? reply.problem.problem : "it could not be tried"
  return { rules, read: reply.head, file, recipe: (text) => withRules(held.text, at, text) }
}

async function tryChange(now: Run, row: Row, mend: RuleChange): Promise<Outcome> {
  const held = work.peek()
  const where = await findRules(row.step)
  if (!held || typeof where === "string") return { kind: "failed", why: typeof where === "string" ? where : "" }
  const mine = (where.read.rules as Drawn[]).find((one) => one.name === row.rule)
  const text = mine?.line ? mend.text(where.rules, where.read, mine) : null
  const recipe = text === null ? null : where.recipe(text)
  if (text === null || recipe === null) return { kind: "failed", why: "the text cannot be changed that way by itself" }
  const source: Source = { ...now.level.source, recipe: { text: recipe, file: held.file }, params: held.values }
  const reply = await ask<TimelineHead>("mend try", { do: "timeline", ...source })
  if (reply.kind === "problem") return { kind: "failed", why: reply.problem.problem.split("\n")[0] ?? "" }
  if (reply.kind !== "done") return { kind: "failed", why: "it could not be tried" }
  const log = new WriteLog(reply.head, reply.blocks)
  const who = log.names.indexOf(`${row.step}: ${row.rule}`)
  let fires = 0
  for (let turn = 1; turn < log.turns; turn++) if (log.who[turn] === who) fires++
  const after = log.at(log.last)
  let cells = 0
  if (after.length === now.level.tiles.length) for (let cell = 0; cell < after.length; cell++) if (after[cell] !== now.level.tiles[cell]) cells++
  return { kind: "tried", fires, cells, recipe, of: held.text, file: where.file ? { path: where.file.path, text, seen: where.file.seen } : null }
}

/** Keep what was tried. */
export async function keepChange(mend: RuleChange): Promise<void> {
  const found = outcomeOf(mend)
  if (found?.kind !== "tried") return
  if (!found.file) {
    if (work.peek()?.text !== found.of) {
      say("The recipe was changed after this was tried, so it stays as it is.")
      return
    }
    typeText(found.recipe)
    settle()
    say("The recipe was changed. Undo brings the old one back.")
    return
  }
  const got = await post<FileText>("/api/files/save", found.file)
  if (!got.ok) {
    say(got.problem.problem)
    return
  }
  say(`${found.file.path} was saved.`)
  forgetLog()
  makeAgain()
}

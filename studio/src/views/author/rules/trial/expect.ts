/** New expectations: from a piece of the map or from the rule itself. The server computes the outcomes, which are drawn as the expected ones. */
import type { RulesRead } from "../../../../server/protocol"
import { ask } from "../../../../server/connection"
import { say } from "../../../../state/navigation"
import { outlineOf } from "../text/anatomy"
import { signsOf } from "../text/blocks"
import { splitRows } from "../drawing/cells"
import { withDrawing, type Signs } from "../text/edit_drawing"
import { freeName, withExpect } from "../text/edit_nodes"
import { withName } from "../text/edit_words"
import { lookOf, tiles, usualSign } from "../drawing/tile_looks"
import { expectationAt } from "../reading"
import { boxOf, picking, piece, signsIn } from "./run_map"
import { chosen, doc, edit, outline, rule } from "../state"
import { showLine } from "../text/text_actions"

const MAX_PIECE_SIDE = 24
/** The server sends so many outcomes at most. */
const MAX_OUTCOMES = 8

export function stopPicking(): void {
  picking.value = false
  piece.value = null
}

/** The piece of the map that was picked becomes an expectation. */
export async function expectPiece(): Promise<void> {
  const now = piece.peek()
  stopPicking()
  if (!now) return
  const box = boxOf(now)
  const small = box[2] <= MAX_PIECE_SIDE && box[3] <= MAX_PIECE_SIDE
  const signs = small ? signsIn(box) : null
  if (signs) await expectOn(signs)
  else say(small ? "Some tile of that piece has no sign that can be drawn." : `That piece is ${box[2]} × ${box[3]}. Up to ${MAX_PIECE_SIDE} × ${MAX_PIECE_SIDE} can be drawn.`)
}

/** The rule's own pattern as a map: any becomes the first tile, a set its first one. */
export async function expectFromRule(): Promise<void> {
  const drawn = rule.peek()?.drawn
  if (!drawn) return
  const blank = usualSign(tiles.peek()[0]?.name ?? "")
  await expectOn(
    signsOf(drawn.left).map((row) =>
      row.map((sign) => {
        const look = lookOf(sign)
        return (look.kind === "any" ? blank : look.kind === "set" ? usualSign(look.of[0]?.name ?? "") : sign) || blank
      }),
    ),
  )
}

async function expectOn(before: Signs): Promise<void> {
  const first = outline.peek()
  const file = doc.peek()?.file
  let now = first
  let at = now.rules[chosen.peek()]
  if (!at) return
  if (!at.name) {
    now = outlineOf(withName(now, at, freeName(now, "rule")))
    at = now.rules[chosen.peek()]
    if (!at) return
  }
  const about = "like this"
  const bare = withExpect(now, at, about, before, [])
  const outcomes = await fetchOutcomes(bare.text, bare.line)
  if (outcomes === undefined) return
  if (doc.peek()?.file !== file || outline.peek().text !== first.text) {
    say("The text changed meanwhile: ask again.")
    return
  }
  const full = withExpect(now, at, about, before, outcomes ?? [])
  edit(full.text)
  showLine(full.line)
  say(outcomes === null ? "Expected: nothing changes" : outcomes.length === 0 ? "Nothing happens there, and that is expected now" : `Expected: ${outcomes.length === 1 ? "1 outcome" : `${outcomes.length} outcomes`}`)
}

/** The actual outcomes of the expectation on a line of a text; undefined if the server does not answer. */
async function fetchOutcomes(text: string, line: number): Promise<Signs[] | null | undefined> {
  const reply = await ask<RulesRead>("author expectation", { do: "rules", text, file: doc.peek()?.file ?? "new.rules" })
  if (reply.kind !== "done") {
    say(reply.kind === "problem" ? reply.problem.problem : "The studio does not answer")
    return undefined
  }
  const found = reply.head.expectations.find((one) => one.line === line + 1)
  return found ? found.really.map(splitRows) : null
}

/** Draws the actual outcomes of an expectation as the expected ones. */
export function expectOutcomes(line: number): void {
  const expect = outline.peek().expects.find((one) => one.line === line)
  const found = expectationAt(line)
  if (!expect?.drawn || !found) return
  edit(withDrawing(outline.peek(), expect.drawn, signsOf(expect.drawn.left), found.really.map(splitRows)))
  if (found.really.length >= MAX_OUTCOMES) say("It has eight outcomes or more: a smaller map says more.")
}

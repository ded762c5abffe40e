/** What the chosen rule is expected to do: a map, every outcome of one use, and whether that is so. Maps and outcomes are drawn like rules. */
import { useSignal } from "@preact/signals"
import { Button, Chip } from "../../../../widgets/button"
import { Icon } from "../../../../widgets/icons"
import { LineInput } from "../../../../widgets/line_input"
import type { Expectation } from "../../../../server/protocol"
import { rulesMeantBy, type Expect, type Rule } from "../text/anatomy"
import { signsOf, type PatternDrawing } from "../text/blocks"
import { Board } from "../drawing/board"
import { Cells, marksDifferences, splitRows, gridWidth, type Rows } from "../drawing/cells"
import { withDrawing, withSize, type Side } from "../text/edit_drawing"
import { withoutExpect } from "../text/edit_nodes"
import { withAbout } from "../text/edit_words"
import { expectFromRule, expectOutcomes } from "./expect"
import { tiles, usualSign } from "../drawing/tile_looks"
import { ruleReading, expectationAt } from "../reading"
import { picking } from "./run_map"
import { edit, outline } from "../state"
import { showLine } from "../text/text_actions"
import { nearestFits, reason } from "./nearest_place"
import { useWidth } from "../use_width"

export function Expectations({ rule }: { rule: Rule }) {
  const [holder, width] = useWidth(400)
  const mine = outline.value.expects.flatMap((expect) => {
    const found = rulesMeantBy(expect, outline.value)
    return found?.rules.includes(rule) ? [{ expect, about: found.about, rules: found.rules }] : []
  })
  const results = mine.map(({ expect }) => expectationAt(expect.line))
  const passed = results.filter((one) => one?.passed).length
  const failed = results.filter((one) => one?.passed === false).length
  return (
    <section class="ar-expectations" aria-label="Expectations" ref={holder}>
      <header class="ar-bar ar-expect-bar">
        <h3>Expectations</h3>
        {mine.length > 0 && (failed > 0 || passed === mine.length) && (
          <Chip tone={failed > 0 ? "bad" : "ok"} icon={failed > 0 ? "cross" : "check"}>
            {failed > 0 ? `${passed} of ${mine.length} pass` : mine.length === 1 ? "passes" : `all ${mine.length} pass`}
          </Chip>
        )}
        <span class="gap" />
        <Button small icon="plus" label="From the rule: expect what happens on its own pattern" onClick={() => void expectFromRule()}>
          Rule
        </Button>
        <Button small icon="plus" label="From the map: expect what happens on a piece of it" pressed={picking.value} onClick={() => (picking.value = !picking.peek())}>
          Map
        </Button>
      </header>
      {mine.length === 0 && <p class="second ar-none">Nothing is expected of this rule yet. Take its own pattern, or a piece of the map, and what happens there now is written down: later changes are held to it.</p>}
      {mine.map(({ expect, about, rules }) => (
        <Card key={expect.line} expect={expect} about={about} rules={rules} room={width - 60} />
      ))}
    </section>
  )
}

/** Cells small enough that map and outcomes stand side by side; if they are many they go on below. */
function cellSizeFor(drawn: PatternDrawing, room: number): number {
  const wide = drawn.left[0]?.length ?? 1
  const blocks = Math.min(3, Math.max(1, drawn.right.length + 1))
  return Math.max(9, Math.min(22, Math.floor((room - blocks * 26 + 4) / blocks / wide) - 2, Math.floor(150 / drawn.left.length) - 2))
}

const sameRows = (a: Rows, b: Rows): boolean => a.length === b.length && a.every((row, y) => row.join("") === b[y]?.join(""))

function Card({ expect, about, rules, room }: { expect: Expect; about: string; rules: readonly Rule[]; room: number }) {
  const found = expectationAt(expect.line)
  const why = useSignal(false)
  const { drawn } = expect
  const target = { kind: "expect", line: expect.line } as const
  if (!drawn) return <article class="ar-expect"><p class="second">It cannot be drawn as its text is now.</p></article>
  const size = cellSizeFor(drawn, room)
  const left = signsOf(drawn.left)
  const outcomes = drawn.right.map(signsOf)
  const withAnyFilled = (rows: Rows): Rows => rows.map((row, y) => row.map((sign, x) => (sign === "?" ? (left[y]?.[x] ?? "?") : sign)))
  const really = found?.really.map(splitRows) ?? []
  const surprises = found?.passed === false ? really.filter((rows) => !outcomes.some((one) => sameRows(withAnyFilled(one), rows))) : []
  const never = (rows: Rows): boolean => found?.passed === false && !really.some((one) => sameRows(withAnyFilled(rows), one))
  const fits = nearestFits(rules.flatMap((one) => ruleReading(one) ?? []), left)
  const miss = found && really.length === 0 ? fits[0] : undefined
  const showMiss = miss !== undefined && (outcomes.length === 0 || why.value)
  const blank = usualSign(tiles.value[0]?.name ?? "") || "X"
  const resize = (side: Side, by: number): void => {
    const next = withSize(outline.peek(), drawn, side, by, { left: blank, right: "?" })
    if (next !== null) edit(next)
  }
  const drop = (at: number): void => edit(withDrawing(outline.peek(), drawn, left, outcomes.filter((_, index) => index !== at)))
  return (
    <article class={"ar-expect " + (found ? (found.passed ? "passed" : "failed") : "untried")} aria-label={`Expectation: ${about || "without words"}`}>
      <header>
        <span class={found ? (found.passed ? "ok" : "bad") : "quiet"} role="img" aria-label={found ? (found.passed ? "holds" : "fails") : "not tried yet"}>
          <Icon name={found?.passed === false ? "cross" : "check"} />
        </span>
        <LineInput
          aria-label="What is expected"
          placeholder="say what happens"
          value={about}
          onFocus={() => showLine(expect.line)}
          onTake={(words) => edit(withAbout(outline.peek(), expect.line, words))}
        />
        <span class={"ar-verdict " + (found?.passed === false ? "bad" : "quiet")}>{verdict(found, fits)}</span>
        <Button small look="quiet" icon="cross" label="Delete the expectation" onClick={() => edit(withoutExpect(outline.peek(), expect.line))} />
      </header>
      <div class="ar-expect-body">
        <div class="ar-frame">
          <Board target={target} block={-1} rows={left} size={size} label="Map" mark={(x, y) => (showMiss && miss.wrong.some((one) => one.x === x && one.y === y) ? "wrong" : "")} onResize={resize} />
          {found && really.length > 0 && fits[0]?.wrong.length === 0 && fits.length <= 6 && fits.map((fit, at) => <span key={at} class={"ar-fit" + (surprises.length && at >= outcomes.length ? " bad" : "")} style={fitStyle(fit, size)} aria-hidden="true" />)}
        </div>
        <Icon name="right" small />
        {outcomes.map((rows, at) => (
          <>
            {at > 0 && <span class="quiet ar-small-or">or</span>}
            <div key={at} class={"ar-outcome-box" + (never(rows) ? " never" : "")}>
              <Board target={target} block={at} rows={rows} size={size} label={`Outcome ${at + 1}`} mark={marksDifferences(left, rows)} />
              {never(rows) && (
                <span class="ar-outcome-note bad">
                  never comes
                  <Button small look="quiet" icon="cross" label={`Take outcome ${at + 1} away`} onClick={() => drop(at)} />
                </span>
              )}
            </div>
          </>
        ))}
        {outcomes.length === 0 && <p class="ar-nothing">{showMiss ? reason(fits) : "Nothing may change."}</p>}
      </div>
      {surprises.length > 0 && (
        <div class="ar-surprise">
          <span class="bad">Comes, and is not drawn</span>
          <div>
            {surprises.map((rows, at) => (
              <Cells key={at} rows={rows} size={Math.min(size, 16)} label="not drawn" mark={marksDifferences(left, rows)} />
            ))}
          </div>
        </div>
      )}
      {found?.passed === false && (
        <footer>
          {showMiss && outcomes.length > 0 && <p class="second">{reason(fits)}</p>}
          <span class="gap" />
          {really.length === 0 && outcomes.length > 0 && (
            <Button small pressed={why.value} onClick={() => (why.value = !why.value)}>
              Why
            </Button>
          )}
          <Button small onClick={() => expectOutcomes(expect.line)}>
            {really.length === 0 ? "Expect nothing" : really.length === 1 ? "Expect this" : `Expect these ${really.length}`}
          </Button>
        </footer>
      )}
    </article>
  )
}

function verdict(found: Expectation | null, fits: ReturnType<typeof nearestFits>): string {
  if (!found) return ""
  const matches = fits[0]?.wrong.length === 0 ? fits.length : 0
  if (found.passed) return found.outcomes.length === 0 ? "nothing changes" : matches > 1 ? `${matches} matches, ${found.expected}` : found.expected
  const count = found.really.length
  return `expected ${found.outcomes.length}, found ${count >= 8 ? "8 or more" : count}`
}

function fitStyle(fit: { x: number; y: number; wide: number; high: number }, size: number): Record<string, string> {
  const step = gridWidth(2, size) - size
  return { left: `${fit.x * step - 2}px`, top: `${fit.y * step - 2}px`, width: `${gridWidth(fit.wide, size) + 4}px`, height: `${gridWidth(fit.high, size) + 4}px` }
}

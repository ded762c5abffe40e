/** The rule, drawn: what it finds, and what it writes instead. */
import { useRef } from "preact/hooks"
import { Button } from "../../../../widgets/button"
import { Icon } from "../../../../widgets/icons"
import { LineInput } from "../../../../widgets/line_input"
import { outlineOf, type Rule } from "../text/anatomy"
import { signsOf, type PatternDrawing } from "../text/blocks"
import { Board } from "./board"
import { marksDifferences, gridWidth } from "./cells"
import { withDrawing, type Side } from "../text/edit_drawing"
import { weightsOf, withWeights } from "../text/edit_words"
import { Popover } from "./popover"
import { edit, endGroup, outline } from "../state"
import { useWidth } from "../use_width"
import { withRuleSize } from "../text/edit_size"

const SIDES: { side: Side; more: string; less: string }[] = [
  { side: "top", more: "Add a row above", less: "Take the top row away" },
  { side: "left", more: "Add a column on the left", less: "Take the left column away" },
  { side: "right", more: "Add a column on the right", less: "Take the right column away" },
  { side: "bottom", more: "Add a row below", less: "Take the bottom row away" },
]

export function resizeRule(index: number, side: Side, by: number): void {
  const next = withRuleSize(outline.peek().text, index, side, by)
  if (next !== null) edit(next)
}

/** The largest cells with which all blocks fit side by side; smaller ones if they would be too tall. */
function cellSize(drawn: PatternDrawing, room: { width: number; height: number }): number {
  const columns = drawn.left[0]?.length ?? 1
  const blocks = drawn.right.length + 1
  const rest = room.width - 46 - (blocks - 2) * 34 - 44
  const across = Math.floor(rest / blocks / columns) - 3
  const down = Math.floor(room.height / drawn.left.length) - 3
  return Math.max(14, Math.min(44, across, down))
}

export function Drawing({ rule }: { rule: Rule }) {
  const [holder, width] = useWidth(700)
  const { drawn } = rule
  return (
    <section class="ar-drawing" ref={holder} aria-label="Drawing">
      {drawn ? <Blocks rule={rule} drawn={drawn} size={cellSize(drawn, { width: width - 46, height: innerHeight < 800 ? 150 : 236 })} /> : <p class="second ar-undrawn">This rule cannot be drawn as its text is now. Mend the text, and it is here again.</p>}
    </section>
  )
}

function Blocks({ rule, drawn, size }: { rule: Rule; drawn: PatternDrawing; size: number }) {
  const left = signsOf(drawn.left)
  const weights = weightsOf(rule)
  const wide = left[0]?.length ?? 1
  const setWeight = (at: number, value: number): void => edit(withWeights(outline.peek(), rule, weights.map((weight, index) => (index === at ? value : weight))), { of: "weights" })
  const resize = (side: Side, by: number): void => resizeRule(rule.index, side, by)
  const addResult = (): void => {
    const text = withDrawing(outline.peek(), drawn, left, [...drawn.right.map(signsOf), left.map((row) => row.map(() => "?"))])
    const next = outlineOf(text)
    const same = weights.every((weight) => weight === 1)
    edit(same || !next.rules[rule.index] ? text : withWeights(next, next.rules[rule.index] as Rule, [...weights, 1]))
  }
  const removeResult = (at: number): void => {
    const rest = drawn.right.filter((_, index) => index !== at).map(signsOf)
    const text = withDrawing(outline.peek(), drawn, left, rest)
    const next = outlineOf(text)
    const kept = next.rules[rule.index]
    edit(kept ? withWeights(next, kept, weights.filter((_, index) => index !== at)) : text)
  }
  return (
    <div class="ar-blocks">
      <figure class="ar-block" style={{ minWidth: gridWidth(wide, size) }}>
        <figcaption>
          <b>Find</b>
          <span class="gap" />
          <SizeBox wide={wide} high={left.length} onResize={resize} />
        </figcaption>
        <div class="ar-frame">
          <Board target={{ kind: "rule" }} block={-1} rows={left} size={size} label={`Pattern, ${wide} by ${left.length}`} onResize={resize} />
          {SIDES.map(({ side, more }) => (
            <Edge key={side} side={side} size={size} label={more} index={rule.index} />
          ))}
        </div>
      </figure>
      <div class="ar-arrow" aria-hidden="true">
        <Icon name="right" />
      </div>
      {drawn.right.map((block, at) => {
        const rows = signsOf(block)
        return (
          <>
            {at > 0 && (
              <div class="ar-or" aria-hidden="true">
                or
              </div>
            )}
            <figure key={at} class="ar-block" style={{ minWidth: gridWidth(wide, size) }}>
              <figcaption>
                <b>Write</b>
                <span class="gap" />
                {drawn.right.length > 1 && (
                  <>
                    <label class="ar-weight">
                      <span class="quiet">weight</span>
                      <LineInput
                        class="mono"
                        inputMode="numeric"
                        aria-label={`Weight of result ${at + 1}`}
                        value={weights[at] ?? 1}
                        onTake={(written) => {
                          const number = Number(written)
                          if (written.trim() && Number.isInteger(number) && number >= 0) setWeight(at, number)
                        }}
                        onStep={(to) => setWeight(at, Math.max(0, Math.round(to)))}
                      />
                    </label>
                    <Button small look="quiet" icon="cross" label={`Take result ${at + 1} away`} onClick={() => removeResult(at)} />
                  </>
                )}
              </figcaption>
              <div class="ar-frame">
                <Board target={{ kind: "rule" }} block={at} rows={rows} size={size} label={drawn.right.length > 1 ? `Result ${at + 1} of ${drawn.right.length}` : "Result"} mark={marksDifferences(left, rows)} onResize={resize} />
              </div>
            </figure>
          </>
        )
      })}
      <button type="button" class="ar-another" aria-label="Or another result" title="Another result, drawn by lot" onClick={addResult}>
        <Icon name="plus" />
        <span>or</span>
      </button>
    </div>
  )
}

/** The size of the drawing, and a row or column more or less at each side. */
function SizeBox({ wide, high, onResize }: { wide: number; high: number; onResize: (side: Side, by: number) => void }) {
  return (
    <Popover label={`Size: ${wide} × ${high}`} title="Rows and columns" class="ar-size" button={<span>{`${wide} × ${high}`}</span>}>
      {() => (
        <div class="ar-sides">
          {SIDES.map(({ side, more, less }) => (
            <div key={side} class={"ar-side at-" + side}>
              <Button small icon="plus" label={more} onClick={() => onResize(side, 1)} />
              <Button small icon="minus" label={less} disabled={(side === "left" || side === "right" ? wide : high) <= 1} onClick={() => onResize(side, -1)} />
            </div>
          ))}
          <span class="ar-side-middle mono">{`${wide} × ${high}`}</span>
        </div>
      )}
    </Popover>
  )
}

/** An edge of the pattern: a press adds a row or column there, a drag adds several. */
function Edge({ side, size, label, index }: { side: Side; size: number; label: string; index: number }) {
  const drag = useRef<{ x: number; y: number; text: string; by: number; size: number } | null>(null)
  const away = (event: PointerEvent): number => {
    const from = drag.current
    if (!from) return 0
    const far = { left: from.x - event.clientX, right: event.clientX - from.x, top: from.y - event.clientY, bottom: event.clientY - from.y }[side]
    return Math.round(far / (from.size + 3))
  }
  return (
    <button
      type="button"
      class={"ar-edge at-" + side}
      tabIndex={-1}
      aria-hidden="true"
      title={`${label}, or drag`}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, y: event.clientY, text: outline.peek().text, by: 0, size }
      }}
      onPointerMove={(event) => {
        const from = drag.current
        const by = away(event)
        if (!from || by === from.by) return
        from.by = by
        const next = by === 0 ? from.text : withRuleSize(from.text, index, side, by)
        if (next !== null) edit(next, { of: "edge" })
      }}
      onPointerUp={(event) => {
        const from = drag.current
        drag.current = null
        endGroup()
        if (from && from.by === 0 && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 5) resizeRule(index, side, 1)
      }}
      onPointerCancel={() => {
        drag.current = null
        endGroup()
      }}
    >
      <Icon name="plus" small />
    </button>
  )
}

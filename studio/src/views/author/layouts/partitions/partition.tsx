/** The chosen partition: its name and colour, and how it grows across and down. */
import { useId } from "preact/hooks"
import { Button } from "../../../../widgets/button"
import { Menu, Segmented, Stepper, Switch } from "../../../../widgets/choices"
import { Icon } from "../../../../widgets/icons"
import { LineInput } from "../../../../widgets/line_input"
import { say } from "../../../../state/navigation"
import { withCellsReassigned, withoutPart, withGrowth, withPart } from "../edits"
import { colourOf, hexColour } from "../part_colours"
import { BASE, partName, cellsOfPart, OVERLAY, partOf, type Axis, type Direction, type Doc, type Part } from "../model"
import { arrowIcon } from "./partition_list"
import { chosen, doc, draw, drawAndSettle, settle } from "../state"
import { Step } from "./step_figure"
import { hint } from "./partition_words"

export function Partition() {
  const now = doc.value
  if (!now) return null
  const part = partOf(now, chosen.value)
  return part ? <Details now={now} part={part} /> : <Still now={now} id={chosen.value} />
}

function Details({ now, part }: { now: Doc; part: Part }) {
  const free = part.x.locked === part.y.locked
  return (
    <section class="lay-detail" aria-label={partName(now, part.id)}>
      <header class="lay-detail-head">
        <label class="lay-colour" title="Colour" style={{ background: colourOf(now, part.id) }}>
          <input
            type="color"
            aria-label={`Colour of ${partName(now, part.id)}`}
            value={colourOf(now, part.id)}
            onInput={(event) => draw(withPart(now, part.id, { colour: event.currentTarget.value }))}
            onChange={settle}
          />
        </label>
        <LineInput
          key={part.id}
          class="lay-name"
          aria-label="Name of the partition"
          maxLength={60}
          value={part.name}
          placeholder={partName(now, part.id)}
          onTake={(name) => drawAndSettle(withPart(now, part.id, { name: name.trim() }))}
        />
        <Button small look="quiet" icon="trash" label={`Remove ${partName(now, part.id)}: its cells go to the base`} onClick={() => dropPartition(now, part)} />
      </header>
      <div class="lay-line">
        <span class={free ? "" : "quiet"}>Lock ratio</span>
        <span class="gap" />
        <span class="quiet">{free ? (part.ratio ? "as many steps across as down" : "") : "needs both axes free"}</span>
        <Switch bare label="Lock ratio" value={part.ratio} disabled={!free} onChange={(ratio) => drawAndSettle(withPart(now, part.id, { ratio }))} />
      </div>
      <AxisCard now={now} part={part} axis="x" />
      <AxisCard now={now} part={part} axis="y" />
      <Icons now={now} part={part} />
    </section>
  )
}

function dropPartition(now: Doc, part: Part): void {
  const cells = cellsOfPart(now, part.id).length
  const at = now.parts.findIndex((one) => one.id === part.id)
  const next = withoutPart(now, part.id)
  chosen.value = (next.parts[Math.min(at, next.parts.length - 1)]?.id ?? BASE)
  drawAndSettle(next)
  say(`${partName(now, part.id)} is gone${cells ? `, and its ${cells === 1 ? "cell belongs" : `${cells} cells belong`} to the base` : ""}`)
}

const WORDS = {
  x: { title: "Across", ways: ["left", "from the centre", "right"], line: "column" },
  y: { title: "Down", ways: ["up", "from the centre", "down"], line: "row" },
} as const

function AxisCard({ now, part, axis }: { now: Doc; part: Part; axis: "x" | "y" }) {
  const of = part[axis]
  const { title, ways, line } = WORDS[axis]
  const id = useId()
  const change = (by: Partial<Axis>): void => {
    const next = withGrowth(now, part.id, axis, by)
    drawAndSettle(next.doc)
    if (next.said) say(next.said)
  }
  const centre = of.direction === 0 && of.by === "amount"
  return (
    <section class={"lay-axis" + (of.locked ? " locked" : "")} aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        <span class="gap" />
        <span class="quiet">Lock</span>
        <Switch bare label={`Lock ${title.toLowerCase()}`} value={of.locked} onChange={(locked) => change({ locked })} />
      </header>
      {!of.locked && (
        <>
          <div class="lay-row">
            <span>Grow by</span>
            <Segmented
              small
              label={`${title}: grow by`}
              value={of.by}
              options={[
                { value: "amount", title: "amount" },
                { value: "multiples", title: "multiples" },
              ]}
              onChange={(by) => change({ by })}
            />
          </div>
          {of.by === "amount" && (
            <div class="lay-row">
              <span>Amount</span>
              <Stepper label={`${title}: amount`} value={of.amount} low={centre ? 2 : 1} high={1_000_000} onChange={(amount) => Number.isInteger(amount) && change({ amount })} />
            </div>
          )}
          <div class="lay-row">
            <span>Direction</span>
            <Segmented
              small
              label={`${title}: direction`}
              value={String(of.direction)}
              options={([-1, 0, 1] as const).map((way) => ({ value: String(way), title: <Icon name={arrowIcon(axis, way)} small />, label: ways[way + 1] as string }))}
              onChange={(way) => change({ direction: Number(way) as Direction })}
            />
          </div>
          <Step now={now} part={part} axis={axis} />
          <p class="lay-hint">{hint(now, part, axis, of, line)}</p>
        </>
      )}
    </section>
  )
}

/** How other editors show it: the format keeps a word for that. */
function Icons({ now, part }: { now: Doc; part: Part }) {
  return (
    <details class="lay-more">
      <summary>More</summary>
      <label class="lay-row">
        <span>Icon, for other editors</span>
        <span class="field small">
          <LineInput maxLength={60} value={part.icon} onTake={(icon) => drawAndSettle(withPart(now, part.id, { icon: icon.trim() }))} />
        </span>
      </label>
      <label class="lay-row">
        <span>Colour, as it is written</span>
        <span class="field small">
          <LineInput
            maxLength={60}
            value={part.colour}
            placeholder={colourOf(now, part.id)}
            onTake={(written) => {
              const colour = written.trim()
              drawAndSettle(withPart(now, part.id, { colour }))
              if (colour && !hexColour(colour)) say(`${colour} is no colour that this page knows. It is kept as it is written.`)
            }}
          />
        </span>
      </label>
      <div class="lay-row">
        <span>Give its cells to</span>
        <Menu
          small
          label="Give its cells to"
          value=""
          options={[{ value: "", title: "…" }, ...[...now.parts.map((one) => one.id).filter((id) => id !== part.id), BASE, OVERLAY].map((id) => ({ value: String(id), title: partName(now, id) }))]}
          onChange={(id) => id && drawAndSettle(withCellsReassigned(now, part.id, Number(id)))}
        />
      </div>
    </details>
  )
}

/** Base and overlay: nothing to set, so it says what they are for. */
function Still({ now, id }: { now: Doc; id: number }) {
  const cells = cellsOfPart(now, id).length
  const overlay = id === OVERLAY
  return (
    <section class="lay-detail" aria-label={partName(now, id)}>
      <header class="lay-detail-head">
        <span class={"lay-swatch " + (overlay ? "overlay" : "base")} />
        <h3>{overlay ? "overlay" : "base"}</h3>
      </header>
      <p class="lay-still">
        {overlay
          ? "Cells of the overlay stay where they are, and are painted over all others: an altar that keeps its place, a pillar that nothing may cover."
          : "Cells of the base stay where they are, and are painted first: all others cover them."}
      </p>
      <p class="lay-still quiet">{cells === 0 ? "No cell belongs to it." : cells === 1 ? "One cell belongs to it." : `${cells} cells belong to it.`}</p>
    </section>
  )
}

/** The nearest misses of a rule, one at a time: pattern and map side by side, what is wrong outlined on both, and one sentence about it. */
import type { ComponentChildren } from "preact"
import { Button } from "../../../widgets/button"
import { TileGrid } from "../../../widgets/tile_grid"
import { splitName } from "../timeline/acts"
import { allMisses, miss, type Row } from "./explanations"
import { map, paletteNow, sizeNow } from "../map/map"
import { POSITIONS } from "./variant_shapes"
import { choose, goTo, run, turn } from "../state"
import { countText } from "../counts"
import { tileName } from "./rule_words"

const MAX_PICTURE_PIXELS = 112

export function Miss({ row, seen }: { row: Row; seen: NonNullable<Row["seen"]> }) {
  const list = seen.nearest.filter((one) => one.wrong.length > 0)
  const index = Math.min(miss.value, list.length - 1)
  const near = list[index]
  if (!near) return null
  const palette = paletteNow.value
  const wide = Math.max(near.pattern.length, [...(near.pattern[0] ?? "?")].length)
  const size = Math.max(6, Math.min(38, Math.floor((MAX_PICTURE_PIXELS - 2 * (wide - 1)) / wide)))
  const wrong = new Set(near.wrong.map((one) => one.cell.join()))
  const step = (by: number): void => {
    miss.value = (index + by + list.length) % list.length
    const to = list[miss.peek()]
    if (to) {
      map.camera.showCell(to.at[0], to.at[1])
      map.notifyMoved()
    }
  }
  const letters = Object.entries(seen.letters).filter(([letter]) => near.pattern.some((line) => line.includes(letter)))
  return (
    <section class="under-miss" aria-label="Nearest miss">
      <div class="under-pair">
        <figure>
          <figcaption class="caption">Pattern, {POSITIONS[near.variant]}</figcaption>
          <TileGrid rows={near.pattern} palette={palette} size={size} label={"pattern: " + near.pattern.join(" / ")} mark={(x, y) => (wrong.has(`${x},${y}`) ? "wanted" : "")} />
        </figure>
        <figure>
          <figcaption class="caption">
            {index === 0 ? "Nearest miss" : "Miss"} at ({near.at.join(", ")})
          </figcaption>
          <TileGrid rows={near.map} palette={palette} size={size} label={"map: " + near.map.join(" / ")} mark={(x, y) => (wrong.has(`${x},${y}`) ? "wrong" : "")} />
        </figure>
      </div>
      <p class="under-sentence">
        <Sentence near={near} row={row} />
      </p>
      {letters.length > 0 && (
        <p class="under-letters">
          {letters.map(([letter, meaning]) => (
            <span key={letter}>
              <code>{letter}</code> is <code>{meaning.replace(/^\{|\}$/g, "")}</code>
            </span>
          ))}
        </p>
      )}
      <div class="under-miss-foot">
        <Button small icon="back" label="The miss before" disabled={list.length < 2} onClick={() => step(-1)} />
        <span class="second">
          {index + 1} of {list.length}
        </span>
        <Button small icon="on" label="The next miss" disabled={list.length < 2} onClick={() => step(1)} />
        <span class="gap" />
        <Button small pressed={allMisses.value} onClick={() => (allMisses.value = !allMisses.value)}>
          Show all on map
        </Button>
      </div>
    </section>
  )
}

/** "Wants # wall. Found + door, written by room in turn 611." */
function Sentence({ near, row }: { near: NonNullable<Row["seen"]>["nearest"][number]; row: Row }) {
  const now = run.value
  const palette = paletteNow.value
  const first = near.wrong[0]
  if (!first || !now) return <>{near.sentence}</>
  const [width, height] = sizeNow.value
  const [x, y] = first.at
  const inside = x >= 0 && y >= 0 && x < width && y < height
  const writer = inside ? now.log.writer(y * width + x, turn.value) : null
  const who = writer && splitName(writer.source, now.level.head.steps.map((one) => one.id))
  return (
    <>
      Wants <Sign>{first.wanted.replace(/^\{|\}$/g, "")}</Sign> {tileName(first.wanted, palette)}
      {near.wrong.length > 1 ? ` at (${x}, ${y})` : ""}. Found <Sign bad>{first.found}</Sign> {tileName(first.found, palette)}
      {writer && who ? (
        <>
          , written by{" "}
          {who.rule && who.step === row.step && who.rule !== row.rule ? (
            <button type="button" class="under-link" onClick={() => choose(who)}>
              {who.rule}
            </button>
          ) : (
            <span class="info">{who.rule || who.step}</span>
          )}{" "}
          in turn{" "}
          <button type="button" class="under-link" onClick={() => goTo(writer.turn, "rewrite")}>
            {writer.turn.toLocaleString("en")}
          </button>
        </>
      ) : inside ? (
        ", there from the beginning"
      ) : (
        ", outside the map"
      )}
      .{near.wrong.length > 1 ? ` ${countText(near.wrong.length - 1, "further cell")} ${near.wrong.length === 2 ? "does" : "do"} not fit.` : ""}
    </>
  )
}

function Sign({ bad, children }: { bad?: boolean; children: ComponentChildren }) {
  return <b class={"mono " + (bad ? "bad" : "accent")}>{children}</b>
}

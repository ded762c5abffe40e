/** The expressive range beside the wall. */
import { Button } from "../../../widgets/button"
import { Menu, Segmented } from "../../../widgets/choices"
import { RecipeMenu } from "../../../widgets/recipe_menu"
import { aboutMeasure, measureName } from "../../../widgets/measure_text"
import { greeting } from "../../../server/connection"
import { work } from "../../../state/work"
import { compareWorks } from "../compare/state"
import { BinLevels } from "./bin_levels"
import { doneSeeds, goOnWithRange, makingWall, range, stoppedKey, stopRange } from "../loading"
import { Marks } from "../marks"
import { Plot } from "./plot"
import { plotted } from "./plot_state"
import { RANGE_SEEDS, measured, rangeOf } from "./measured_range"
import { asItCame, choices, compareRecipe, idOf, inFront, second, secondWork } from "./second_recipe"
import { aboutKey, across, choose, screen, up } from "../state"
import { countText } from "../measure_words"
import { dependOn } from "../../../state/depend_on"

const NO_RECIPE = " "
const RECIPE_AS_IT_CAME = "  "

export function RangePanel() {
  return (
    <aside class="xp-range" aria-label="Expressive range">
      <header class="xp-range-head">
        <h2>Expressive range</h2>
        <span class="gap" />
        <Progress />
      </header>
      <div class="xp-axes">
        <Axis label="Across" value={across.value} onChange={(value) => choose({ across: value })} />
        <Axis label="Up" value={up.value} onChange={(value) => choose({ up: value })} />
        <span class="gap" />
        <SecondRecipe />
      </div>
      {second.value && <Legend />}
      <Plot />
      <BinLevels />
      <Marks />
    </aside>
  )
}

function Axis({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const all = greeting.value?.measures ?? []
  return (
    <label class="xp-axis" title={aboutMeasure(value)}>
      <span class="quiet">{label}</span>
      <Menu small label={`${label}: measure`} value={value} options={all.map(({ name }) => ({ value: name, title: measureName(name) }))} onChange={onChange} />
    </label>
  )
}

function Progress() {
  dependOn(measured.value)
  const done = doneSeeds.value
  const without = plotted.value?.first.without ?? 0
  if (done >= RANGE_SEEDS && !range.value?.run)
    return (
      <span class="quiet" title={without ? `${countText(without, "seed")} without one of the two measures` : undefined}>
        {countText(done, "seed")} measured
      </span>
    )
  const stopped = stoppedKey.value === aboutKey.value
  return (
    <>
      <span class="xp-progress" role="progressbar" aria-label="Seeds measured" aria-valuemin={0} aria-valuemax={RANGE_SEEDS} aria-valuenow={done}>
        <i style={{ width: `${(done / RANGE_SEEDS) * 100}%` }} />
      </span>
      <span class="quiet">
        {done.toLocaleString("en")} of {RANGE_SEEDS.toLocaleString("en")}
      </span>
      {stopped ? (
        <Button small onClick={goOnWithRange}>
          Go on
        </Button>
      ) : (
        <Button small look="quiet" disabled={makingWall.value && done === 0} onClick={stopRange}>
          Stop
        </Button>
      )}
    </>
  )
}

function SecondRecipe() {
  const now = second.value
  const came = asItCame.value
  return (
    <span class={"xp-second" + (now ? " on" : "")}>
      <RecipeMenu
        label="Compare a recipe in the plot"
        text={now ? undefined : "Compare a recipe"}
        value={now ? (came && now.card === came ? RECIPE_AS_IT_CAME : idOf(now.card)) : NO_RECIPE}
        options={[
          { value: NO_RECIPE, title: "No second recipe" },
          ...(came ? [{ value: RECIPE_AS_IT_CAME, title: `${came.name} as it came` }] : []),
          ...choices.value.map((one) => ({ value: idOf(one), title: one.name, recipe: one })),
        ]}
        onChange={(value) => compareRecipe(value === NO_RECIPE ? null : value === RECIPE_AS_IT_CAME ? came : (choices.value.find((one) => idOf(one) === value) ?? null))}
      />
    </span>
  )
}

/** Which recipe is in colour, how far the second is, and both side by side. */
function Legend() {
  dependOn(measured.value)
  const other = second.value
  const now = work.value
  if (!other || !now) return null
  const its = rangeOf(other.about)
  const [width, height] = other.about.size ?? other.card.size
  const own = now.file.replace(/\.toml$/, "")
  return (
    <div class="xp-legend">
      <Segmented
        small
        label="In colour"
        value={inFront.value}
        options={[
          { value: "first", title: own === other.name ? "now" : own },
          { value: "second", title: own === other.name ? "as it came" : other.name },
        ]}
        onChange={(value) => (inFront.value = value)}
      />
      <span class="xp-outline-key" aria-hidden="true" />
      <span class="second" title={`Shown as an outline. ${other.name} is ${width} × ${height}`}>
        {inFront.value === "first" ? other.name : own}
        <span class="quiet">{its.done < RANGE_SEEDS ? ` ${its.done.toLocaleString("en")} of ${RANGE_SEEDS.toLocaleString("en")}` : ` ${width} × ${height}`}</span>
      </span>
      <span class="gap" />
      <Button
        small
        look="quiet"
        onClick={() => {
          compareWorks(now, secondWork(other, now.seed))
          screen.value = "compare"
        }}
      >
        Side by side
      </Button>
    </div>
  )
}

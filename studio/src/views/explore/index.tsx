/** Explore: a wall of seeds, what the recipe can reach at all, and two levels side by side. */
import { useEffect } from "preact/hooks"
import { useCommands } from "../../shell/commands"
import { useKeys } from "../../shell/keys"
import { Button } from "../../widgets/button"
import { TopMiddle } from "../../widgets/top_middle"
import { recipes } from "../../state/recipes"
import { isMap, size, work } from "../../state/work"
import { Compare } from "./compare"
import { FirstStart } from "../make/first_start"
import { compareMap, compareMarked, favouriteSeed, markSeed, withPointed } from "./actions"
import { Bar } from "./bar"
import { startLoading, stopRange } from "./loading"
import { followBin } from "./range/plot_state"
import { RangePanel } from "./range/range_panel"
import { compareRecipe } from "./range/second_recipe"
import { newSeeds, picking, screen } from "./state"
import { Strip } from "./filters/filter_strip"
import { Wall } from "./wall/wall"

export function Explore() {
  // Measuring goes on behind the comparison.
  useEffect(() => {
    const stops = [startLoading(), followBin()]
    return () => stops.forEach((stop) => stop())
  }, [])
  if (!work.value) return <FirstStart />
  if (screen.value === "compare") return <Compare onClose={() => (screen.value = "wall")} />
  return isMap(work.value) ? <OneMap /> : <Explored />
}

/** A map from a file: there are no others like it, but it can be compared with what a recipe makes. */
function OneMap() {
  useKeys({ compare: compareMap })
  return (
    <FirstStart
      title="A map from a file has no seeds to explore"
      about="Pick a recipe to see what it can make, or compare the map with a level. "
      more={
        <Button look="main" keys={["C"]} onClick={compareMap}>
          Compare the map
        </Button>
      }
    />
  )
}

function Explored() {
  useKeys({
    shuffle: newSeeds,
    markA: withPointed((seed) => markSeed("a", seed)),
    markB: withPointed((seed) => markSeed("b", seed)),
    favourite: withPointed(favouriteSeed),
    compare: compareMarked,
    stop: () => {
      if (picking.peek()) picking.value = null
      else stopRange()
    },
  })
  useCommands(() => [
    { label: "New 48 seeds", kind: "wall", run: newSeeds },
    ...recipes.peek().map((one) => ({ label: `Compare with ${one.name} in the plot`, kind: "range", run: () => compareRecipe(one) })),
  ])
  const [width, height] = size.value
  return (
    <section class={"xp" + (screen.value === "range" ? " ranged" : "")} aria-label="Explore">
      <TopMiddle>
        <b class="xp-title">{work.value?.file.replace(/\.toml$/, "")}</b>
        <span class="xp-size">
          {width} × {height}
        </span>
      </TopMiddle>
      <div class="xp-left">
        <Bar />
        <Strip />
        <Wall />
      </div>
      <RangePanel />
    </section>
  )
}

/** The bar over the wall: which seeds hang there, how they are sorted and coloured. */
import { Button, Chip } from "../../widgets/button"
import { Menu, Segmented } from "../../widgets/choices"
import { Icon } from "../../widgets/icons"
import { measureName } from "../../widgets/measure_text"
import { greeting } from "../../server/connection"
import { makingWall, matching } from "./loading"
import { arrived } from "./wall/level_cache"
import { hangMatches, matchesInRange } from "./filters/matches"
import { bars, choose, chosen, clearFilters, filtersOn, hangRun, hung, lastRun, WALL_SEEDS, newSeeds, screen, SEED, levelOfSeed, seeds, sortBy, starredSeeds, type Colour } from "./state"
import { countText } from "./measure_words"
import { dependOn } from "../../state/depend_on"

export function Bar() {
  return (
    <div class="xp-bar">
      <Which />
      <Favourites />
      <span class="xp-bars-words">Bars: {bars.value.map(measureName).join(", ")}</span>
      <span class="gap" />
      <Matching />
      <Sorting />
      <span class="xp-narrow">
        <Segmented
          small
          label="Screen"
          value={screen.value === "range" ? "range" : "wall"}
          options={[
            { value: "wall", title: "Wall" },
            { value: "range", title: "Range" },
          ]}
          onChange={(value) => (screen.value = value)}
        />
      </span>
    </div>
  )
}

function Which() {
  const now = hung.value
  dependOn(arrived.value)
  const made = seeds.value.filter((seed) => levelOfSeed(seed)).length
  const first = lastRun.value
  return (
    <>
      <b class="xp-count">{makingWall.value && made < seeds.value.length ? `${made} of ${seeds.value.length}` : countText(seeds.value.length, "seed")}</b>
      <span class="xp-which" title={now.kind === "list" ? now.title : undefined}>
        {now.kind === "run" ? `${now.first.toLocaleString("en")} to ${(now.first + WALL_SEEDS - 1).toLocaleString("en")}` : now.title}
      </span>
      {now.kind === "list" ? (
        <Button small icon="undo" onClick={() => hangRun(first)}>
          Back to {first} to {first + WALL_SEEDS - 1}
        </Button>
      ) : (
        now.first > 1 && <Button small icon="back" look="quiet" label={`The ${WALL_SEEDS} seeds before`} onClick={() => hangRun(now.first - WALL_SEEDS)} />
      )}
      <Button small icon="shuffle" label={`New ${WALL_SEEDS}`} keys={["Space"]} onClick={newSeeds}>
        New {WALL_SEEDS}
      </Button>
    </>
  )
}

function Favourites() {
  const starred = starredSeeds.value
  const now = hung.value
  const on = now.kind === "list" && now.of === "favourites"
  if (starred.length === 0 && !on) return null
  return (
    <Chip
      on={on}
      label={`Favourites, ${starred.length}`}
      onClick={() => {
        if (on) hangRun(lastRun.peek())
        else hung.value = { kind: "list", of: "favourites", seeds: [...starred], title: "favourites" }
      }}
    >
      <Icon name="star" small filled /> {starred.length}
    </Chip>
  )
}

function Matching() {
  const on = filtersOn.value.length
  if (on === 0) return null
  const here = matching.value.size
  const found = matchesInRange.value.length
  const now = hung.value
  const better = found > here && here < seeds.value.length && !(now.kind === "list" && now.of === "matches")
  return (
    <>
      <span class="xp-matching" role="status">
        {here} of {seeds.value.length} match
      </span>
      {better && (
        <Button small label={`Of all measured seeds ${found} match: put ${Math.min(WALL_SEEDS, found)} of them on the wall`} onClick={hangMatches}>
          Show {Math.min(WALL_SEEDS, found)} that match
        </Button>
      )}
      <button type="button" class="chip accent" aria-label={`Clear ${countText(on, "filter")}`} title="Clear the filters" onClick={clearFilters}>
        {countText(on, "filter")}
        <Icon name="cross" small />
      </button>
    </>
  )
}

const COLOURS: { value: Colour; title: string }[] = [
  { value: "distance", title: "distance" },
  { value: "measure", title: "sorted by" },
  { value: "plain", title: "plain" },
]

function Sorting() {
  const all = greeting.value?.measures ?? []
  const { falling, colour } = chosen.value
  return (
    <>
      <span class="xp-sort" role="group" aria-label="Sorting">
        <span class="quiet">Sort by</span>
        <Menu small label="Sort by" value={sortBy.value} options={[{ value: SEED, title: "seed" }, ...all.map(({ name }) => ({ value: name, title: measureName(name) }))]} onChange={(value) => choose({ sort: value, falling: value !== SEED })} />
        <Button small icon={falling ? "downward" : "up"} label={falling ? "Largest first; turn round" : "Smallest first; turn round"} onClick={() => choose({ falling: !falling })} />
      </span>
      <span class="xp-colour">
        <span class="quiet">Colour</span>
        <Menu small label="Colour of the thumbnails" value={colour} options={COLOURS} onChange={(value) => choose({ colour: value })} />
      </span>
    </>
  )
}

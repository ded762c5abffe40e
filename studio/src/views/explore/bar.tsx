/** The bar over the wall: which seeds hang there, how they are sorted and coloured. */
import { Button, Chip } from "../../widgets/button"
import { Menu, Segmented } from "../../widgets/choices"
import { Icon } from "../../widgets/icons"
import { nameOf } from "../../widgets/requirements"
import { greeting } from "../../server/connection"
import { hanging, matching } from "./loading"
import { arrived } from "./wall/level_cache"
import { hangMatches, matchesInRange } from "./filters/matches"
import { bars, choose, chosen, clearFilters, filtersOn, hangRun, hung, lastRun, MANY, newSeeds, screen, SEED, seeded, seeds, sortBy, starredSeeds, type Colour } from "./state"
import { many } from "./measure_words"

export function Bar() {
  return (
    <div class="xp-bar">
      <Which />
      <Favourites />
      <span class="xp-bars-words">Bars: {bars.value.map(nameOf).join(", ")}</span>
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
  const made = (void arrived.value, seeds.value.filter((seed) => seeded(seed)).length)
  const first = lastRun.value
  return (
    <>
      <b class="xp-count">{hanging.value && made < seeds.value.length ? `${made} of ${seeds.value.length}` : many(seeds.value.length, "seed")}</b>
      <span class="xp-which" title={now.kind === "list" ? now.title : undefined}>
        {now.kind === "run" ? `${now.first.toLocaleString("en")} to ${(now.first + MANY - 1).toLocaleString("en")}` : now.title}
      </span>
      {now.kind === "list" ? (
        <Button small icon="undo" onClick={() => hangRun(first)}>
          Back to {first} to {first + MANY - 1}
        </Button>
      ) : (
        now.first > 1 && <Button small icon="back" look="quiet" label={`The ${MANY} seeds before`} onClick={() => hangRun(now.first - MANY)} />
      )}
      <Button small icon="shuffle" label={`New ${MANY}`} keys={["Space"]} onClick={newSeeds}>
        New {MANY}
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
        <Button small label={`Of all measured seeds ${found} match: put ${Math.min(MANY, found)} of them on the wall`} onClick={hangMatches}>
          Show {Math.min(MANY, found)} that match
        </Button>
      )}
      <button type="button" class="chip accent" aria-label={`Clear ${many(on, "filter")}`} title="Clear the filters" onClick={clearFilters}>
        {many(on, "filter")}
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
        <Menu small label="Sort by" value={sortBy.value} options={[{ value: SEED, title: "seed" }, ...all.map(({ name }) => ({ value: name, title: nameOf(name) }))]} onChange={(value) => choose({ sort: value, falling: value !== SEED })} />
        <Button small icon={falling ? "downward" : "up"} label={falling ? "Largest first; turn round" : "Smallest first; turn round"} onClick={() => choose({ falling: !falling })} />
      </span>
      <span class="xp-colour">
        <span class="quiet">Colour</span>
        <Menu small label="Colour of the thumbnails" value={colour} options={COLOURS} onChange={(value) => choose({ colour: value })} />
      </span>
    </>
  )
}

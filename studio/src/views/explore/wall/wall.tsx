/** The wall: thumbnails as large as fit, in the order of `order`. When the order changes, they move there. */
import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { say } from "../../../state/navigation"
import { reducedMotion } from "../../../state/theme"
import { nearestSeed, relaxed } from "../filters/filters"
import { makingWall, matching, order, range, wallProblem, wallTook } from "../loading"
import { arrived } from "./level_cache"
import { hangMatches, matchesInRange } from "../filters/matches"
import { litSeeds } from "../range/plot_state"
import { highOf } from "../range/scale"
import { SeedCard } from "./seed_card"
import { spreads } from "../filters/value_spread"
import { bounds, complete, filters, filtersOn, picking, levelOfSeed, seeds } from "../state"
import { takeSeed } from "../actions"
import { countText } from "../measure_words"
import { dependOn } from "../../../state/depend_on"
import { fitWall } from "./fit_wall"

export function Wall() {
  const box = useRef<HTMLDivElement>(null)
  const room = useSignal({ across: 1000, down: 720 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = (): void => void (room.value = { across: element.clientWidth, down: element.clientHeight })
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  dependOn(arrived.value)
  const list = order.value
  const sample = list.map((seed) => levelOfSeed(seed)).find((one) => one && one.width > 0)
  const fit = fitWall(room.value.across, room.value.down, list.length, sample ? sample.height / sample.width : 0.66)
  const passing = matching.value
  const lit = litSeeds.value
  useMoves(box, list)
  const empty = complete.value && filtersOn.value.length > 0 && passing.size === 0

  return (
    <div
      ref={box}
      class={"xp-wall" + (picking.value ? " picking" : "")}
      role="group"
      aria-label="Wall of seeds"
      aria-busy={makingWall.value}
      data-arrows
      data-took={Math.round(wallTook.value)}
      onKeyDown={(event) => move(event, box.current, fit.columns)}
    >
      {wallProblem.value ? (
        <div class="xp-none" role="alert">
          <b>{wallProblem.value.problem}</b>
          {wallProblem.value.fix && <p>Fix: {wallProblem.value.fix}</p>}
        </div>
      ) : (
        <>
          {empty && <NoMatch />}
          <div class="xp-grid" style={{ gridTemplateColumns: `repeat(${fit.columns}, ${fit.width}px)` }}>
            {list.map((seed, at) => {
              const level = levelOfSeed(seed)
              return <SeedCard key={seed} seed={seed} level={level} width={fit.width} height={fit.height} out={level !== undefined && !passing.has(seed)} lit={lit.has(seed)} first={at === 0} />
            })}
          </div>
        </>
      )}
    </div>
  )
}

/** Nothing passes: what comes nearest, what would let it through, and whether the range has something better. */
function NoMatch() {
  const near = nearestSeed(filtersOn.value, seeds.value.map((seed) => [seed, levelOfSeed(seed)?.measures ?? {}] as const), (measure) => {
    const scale = spreads.value.get(measure)?.scale
    return scale ? highOf(scale) - scale.low : 1
  })
  if (!near) return null
  const found = matchesInRange.value
  const relax = (): void => {
    const next = relaxed(filters.peek(), levelOfSeed(near.seed)?.measures ?? {})
    bounds.value = Object.fromEntries(next.map(({ measure, low, high }) => [measure, { low, high }]))
    say(`Seed ${near.seed} passes now`)
  }
  return (
    <div class="xp-none" role="status">
      <p>
        <b>No seed matches.</b> Nearest:{" "}
        <button type="button" class="xp-link" onClick={() => takeSeed(near.seed)}>
          seed {near.seed}
        </button>{" "}
        ({near.lacks})
      </p>
      <Button small onClick={relax}>
        Relax
      </Button>
      {found.length > 0 && (
        <Button small onClick={hangMatches}>
          Show {countText(Math.min(48, found.length), "seed")} that {found.length === 1 ? "matches" : "match"}
        </Button>
      )}
      {found.length === 0 && range.value !== null && <span class="quiet">Nor does any of {countText(range.value.done, "measured seed")}.</span>}
    </div>
  )
}

/** Arrow keys go from seed to seed. */
function move(event: KeyboardEvent, box: HTMLElement | null, columns: number): void {
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -1e6, End: 1e6 }[event.key]
  if (by === undefined || !box || event.ctrlKey || event.altKey || event.metaKey) return
  const all = [...box.querySelectorAll<HTMLButtonElement>(".xp-picture")]
  const at = all.indexOf(document.activeElement as HTMLButtonElement)
  if (at < 0) return
  event.preventDefault()
  const to = Math.abs(by) > 1e5 ? (by < 0 ? 0 : all.length - 1) : at + by
  if (to < 0 || to >= all.length) return
  for (const one of all) one.tabIndex = -1
  const next = all[to]
  if (!next) return
  next.tabIndex = 0
  next.focus()
  next.scrollIntoView({ block: "nearest" })
}

const MOVE_MILLISECONDS = 180

type Places = Map<string, { x: number; y: number }>
function placesIn(box: HTMLElement | null): Places {
  const found: Places = new Map()
  for (const element of box?.querySelectorAll<HTMLElement>(".xp-seed") ?? []) found.set(element.dataset.seed ?? "", { x: element.offsetLeft, y: element.offsetTop })
  return found
}

/** When the same seeds hang in another order, each goes from its old place to its new one. */
function useMoves(box: { current: HTMLDivElement | null }, list: readonly string[]): void {
  const hungBefore = useRef<readonly string[]>(list)
  const old = useRef<Places | null>(null)
  // While this is rendered, the page still shows the old order.
  if (hungBefore.current !== list && !reducedMotion.matches) old.current = placesIn(box.current)
  hungBefore.current = list
  useLayoutEffect(() => {
    const before = old.current
    old.current = null
    if (!before) return
    const now = placesIn(box.current)
    for (const element of box.current?.querySelectorAll<HTMLElement>(".xp-seed") ?? []) {
      const [from, to] = [before.get(element.dataset.seed ?? ""), now.get(element.dataset.seed ?? "")]
      if (!from || !to || (from.x === to.x && from.y === to.y)) continue
      element.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }], { duration: MOVE_MILLISECONDS, easing: "ease-out" })
    }
  })
}

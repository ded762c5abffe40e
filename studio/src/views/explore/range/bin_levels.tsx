/** The levels behind a bin of the plot. */
import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Thumb } from "../../../widgets/thumbnail"
import { view } from "../../../state/navigation"
import { openWork } from "../../../state/recipes"
import { openSeed } from "../actions"
import { arrived, keyOf, levelOf, type Seeded } from "../wall/level_cache"
import { placesIn } from "./bins"
import { binWords, chosenBin, hangBin, hoveredBin, plotted, MAX_BIN_LEVELS } from "./plot_state"
import { seedAt } from "./measured_range"
import { second, secondWork, type Second } from "./second_recipe"
import { about, across, pointed } from "../state"
import { countText, valueWithUnit } from "../measure_words"
import { dependOn } from "../../../state/depend_on"

const COLUMNS = 4
const GAP = 8

export function BinLevels() {
  const box = useRef<HTMLElement>(null)
  const room = useSignal(404)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => (room.value = element.clientWidth))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <section class="xp-bin" aria-label="Levels in a bin" ref={box}>
      <Inner wide={Math.min(150, Math.floor((room.value - 2 - (COLUMNS - 1) * GAP) / COLUMNS))} />
    </section>
  )
}

function Inner({ wide }: { wide: number }) {
  dependOn(arrived.value)
  const plot = plotted.value
  const bin = chosenBin.value
  const other = second.value
  if (!plot || !bin || !about.value)
    return <p class="xp-bin-words">Click a square of the plot: the levels behind it come here.</p>
  const first = placesIn(plot.first, bin, plot.x)
  const its = placesIn(plot.second, bin, plot.x)
  const half = other && its.length ? MAX_BIN_LEVELS / 2 : MAX_BIN_LEVELS
  const own = keyOf(about.value)
  const hovered = hoveredBin.value
  const under = hovered && placesIn(plot.first, hovered, plot.x).length
  return (
    <>
      <header>
        <b role="status">
          {countText(first.length, "level")} in this bin{other ? `, ${its.length} of ${other.name}` : ""}
        </b>
        <span class="gap" />
        <Button small look="quiet" disabled={first.length === 0} onClick={hangBin}>
          Put on the wall
        </Button>
      </header>
      <p class="xp-bin-words">{hovered ? `${countText(under ?? 0, "level")} here: ${binWords(hovered, plot)}` : `${binWords(bin, plot)}.`}{!hovered && <span class="xp-dots-words"> Dots: the wall.</span>}</p>
      <div class="xp-bin-grid">
        {first.slice(0, its.length ? half : MAX_BIN_LEVELS).map((place) => (
          <Behind key={place} seed={seedAt(place)} wide={wide} level={levelOf(own, seedAt(place))} />
        ))}
        {other && its.slice(0, first.length ? half : MAX_BIN_LEVELS).map((place) => <Behind key={"second " + place} seed={seedAt(place)} wide={wide} level={levelOf(keyOf(other.about), seedAt(place))} other={other} />)}
      </div>
    </>
  )
}

function Behind({ seed, level, wide, other }: { seed: string; level: Seeded | undefined; wide: number; other?: Second }) {
  const open = (): void => {
    if (other) void openWork(secondWork(other, seed)).then(() => (view.value = "make"))
    else openSeed(seed)
  }
  const value = valueWithUnit(across.value, level?.measures[across.value])
  return (
    <div class={"xp-behind" + (other ? " other" : "")} onPointerEnter={() => !other && (pointed.value = seed)} onPointerLeave={() => pointed.peek() === seed && (pointed.value = null)}>
      <button type="button" class="xp-picture" aria-label={`${other ? other.name + ", s" : "S"}eed ${seed}, ${value}. Open in Make`} title="Open in Make" onClick={open}>
        <Thumb of={level && level.width > 0 ? level : null} width={wide} height={Math.round(wide * 0.68)} pad={4} path />
      </button>
      <div class="xp-caption">
        <b>{seed}</b>
        <span>{level ? value : ""}</span>
      </div>
    </div>
  )
}

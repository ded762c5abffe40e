/** A seed on the wall: its thumbnail, its number, what it is sorted by, and four bars. */
import { useComputed } from "@preact/signals"
import { memo } from "../../../widgets/memo"
import { useEffect, useRef } from "preact/hooks"
import { css, mix, ramp, rgb, type Rgb } from "../../../canvas/colours"
import { drawThumbnail } from "../../../canvas/draw_thumbnail"
import { Icon } from "../../../widgets/icons"
import { measureName, valueText } from "../../../widgets/measure_text"
import { theme } from "../../../state/theme"
import { favouriteSeed, markSeed, takeSeed } from "../actions"
import type { Seeded } from "./level_cache"
import { shareOf } from "../range/scale"
import { barScales } from "../filters/value_spread"
import { bars, chosen, markOf, picking, pointed, SEED, sortBy, starredSeeds } from "../state"
import { valueWithUnit } from "../measure_words"

interface Props {
  seed: string
  level: Seeded | undefined
  width: number
  height: number
  /** The filters leave it out. */
  out: boolean
  /** It lies in the bin that is chosen in the plot. */
  lit: boolean
  first: boolean
}

const PLAIN_GROUND: Record<string, Rgb> = { dark: rgb("#4a4763"), light: rgb("#c9c2cf") }

export const SeedCard = memo(({ seed, level, width, height, out, lit, first }: Props) => {
  const which = markOf(seed)
  const starred = starredSeeds.value.includes(seed)
  const over = useComputed(() => pointed.value === seed)
  const measure = sortBy.value
  const value = measure === SEED || !level ? "" : valueWithUnit(measure, level.measures[measure])
  const names = ["xp-seed", level ? "there" : "", out ? "out" : "", lit ? "lit" : "", which ? "marked" : "", over.value ? "over" : ""].filter(Boolean).join(" ")
  const spoken = [
    `Seed ${seed}`,
    measure === SEED || !level ? "" : `${measureName(measure)} ${valueText(measure, level.measures[measure])}`,
    level?.problem ? "not as required" : "",
    out ? "left out by the filters" : "",
    starred ? "favourite" : "",
    which ? `marked ${which.toUpperCase()}` : "",
  ]
  return (
    <div class={names} data-seed={seed} style={{ width }} onPointerEnter={() => (pointed.value = seed)} onPointerLeave={() => pointed.peek() === seed && (pointed.value = null)}>
      <button
        type="button"
        class="xp-picture"
        tabIndex={first ? 0 : -1}
        aria-label={spoken.filter(Boolean).join(", ")}
        title={picking.value ? `Mark as ${picking.value.toUpperCase()}` : level?.problem || "Open in Make"}
        onClick={() => takeSeed(seed)}
        onFocus={() => (pointed.value = seed)}
      >
        <Picture of={level} width={width} height={height} />
        {which && (
          <span class="xp-mark" aria-hidden="true">
            {which.toUpperCase()}
          </span>
        )}
        {level?.problem && (
          <span class="xp-unmet" aria-hidden="true">
            <Icon name="warn" small />
          </span>
        )}
      </button>
      <Tools seed={seed} starred={starred} which={which} />
      <div class="xp-caption">
        <b>{seed}</b>
        <span>{value}</span>
      </div>
      <Bars of={level} />
    </div>
  )
})

/** Without a pointer, the keys A, B and F do the same. */
function Tools({ seed, starred, which }: { seed: string; starred: boolean; which: string | null }) {
  return (
    <>
      <button type="button" class={"xp-star" + (starred ? " on" : "")} tabIndex={-1} aria-pressed={starred} aria-label={`Favourite seed ${seed}`} title="Favourite (F)" onClick={() => favouriteSeed(seed)}>
        <Icon name="star" small filled={starred} />
      </button>
      <span class="xp-marks">
        {(["a", "b"] as const).map((mark) => (
          <button key={mark} type="button" tabIndex={-1} aria-pressed={which === mark} aria-label={`Mark seed ${seed} as ${mark.toUpperCase()}`} title={`Mark as ${mark.toUpperCase()} (${mark.toUpperCase()})`} onClick={() => markSeed(mark, seed)}>
            {mark.toUpperCase()}
          </button>
        ))}
      </span>
    </>
  )
}

function Picture({ of, width, height }: { of: Seeded | undefined; width: number; height: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const light = theme.value === "light"
  const { colour } = chosen.value
  const scale = colour === "measure" ? barScales.value.get(sortBy.value) : undefined
  const value = of?.measures[sortBy.value]
  const share = scale && value !== null && value !== undefined ? shareOf(scale, value) : null
  const there = of && of.width > 0
  useEffect(() => {
    if (!canvas.current || !there) return
    const ground = colour === "distance" ? null : colour === "measure" && share !== null ? ramp(share, light) : (PLAIN_GROUND[light ? "light" : "dark"] as Rgb)
    drawThumbnail(canvas.current, of, { width, height, pad: 4, light, path: true, ...(ground ? { ground } : {}) })
  }, [of, width, height, light, colour, colour === "measure" ? share : 0])
  return <canvas ref={canvas} class={"thumb" + (of ? "" : " empty")} width={width} height={height} style={{ width, height }} aria-hidden="true" />
}

function Bars({ of }: { of: Seeded | undefined }) {
  const light = theme.value === "light"
  return (
    <div class="xp-bars" aria-hidden="true">
      {bars.value.map((name) => {
        const scale = barScales.value.get(name)
        const value = of?.measures[name]
        const share = scale && value !== null && value !== undefined ? Math.max(0, Math.min(1, shareOf(scale, value))) : null
        return (
          <i key={name} title={`${measureName(name)} ${valueText(name, value)}`}>
            {share !== null && <b style={{ width: `${Math.max(5, share * 100)}%`, background: css(light ? mix(ramp(0.2 + 0.6 * share), [60, 40, 90], 0.15) : ramp(0.25 + 0.75 * share)) }} />}
          </i>
        )
      })}
    </div>
  )
}

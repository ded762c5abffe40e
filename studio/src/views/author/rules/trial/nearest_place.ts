/** Where a rule fits on a drawn map, and where it nearly does: in the page, from the variants that the server gave. */
import type { RuleDrawn, RuleSeen } from "../../../../server/protocol"
import { lookOf, lookName } from "../drawing/tile_looks"

export interface Fit {
  x: number
  y: number
  wide: number
  high: number
  variant: string
  /** Cells that do not fit: where on the map, what is wanted and what is there. */
  wrong: { x: number; y: number; wanted: string; found: string }[]
}

function tileFits(wanted: string, found: string): boolean {
  const want = lookOf(wanted)
  if (want.kind === "any") return true
  const name = lookOf(found).name
  return want.kind === "set" ? want.of.some((tile) => tile.name === name) : want.name === name
}

/** Every place on the map, for each variant, that fails in no more cells than the best one. */
export function nearestFits(drawn: readonly RuleDrawn[], before: readonly (readonly string[])[]): Fit[] {
  let best = Infinity
  let found: Fit[] = []
  const high = before.length
  const wide = before[0]?.length ?? 0
  for (const rule of drawn)
    for (const variant of rule.variants) {
      const rows = variant.pattern.map((row) => [...row])
      const [w, h] = [rows[0]?.length ?? 0, rows.length]
      for (let y = 0; y + h <= high; y++)
        for (let x = 0; x + w <= wide; x++) {
          const wrong: Fit["wrong"] = []
          for (let row = 0; row < h && wrong.length <= best; row++)
            for (let column = 0; column < w && wrong.length <= best; column++) {
              const [wanted, there] = [rows[row]?.[column] ?? "?", before[y + row]?.[x + column] ?? "?"]
              if (!tileFits(wanted, there)) wrong.push({ x: x + column, y: y + row, wanted, found: there })
            }
          if (wrong.length > best) continue
          if (wrong.length < best) found = []
          best = wrong.length
          found.push({ x, y, wide: w, high: h, variant: variant.label, wrong })
        }
    }
  return found
}

/** Why nothing happens, in a sentence. */
export function reason(found: readonly Fit[]): string {
  const one = found[0]
  if (!one) return "The pattern is larger than this map in every position."
  if (one.wrong.length === 0) return "It fits, but a guard, a place or a weight keeps it from being used."
  const [wrong] = one.wrong
  if (!wrong) return ""
  const rest = one.wrong.length - 1
  const where = `Row ${wrong.y + 1}, column ${wrong.x + 1} is ${lookName(lookOf(wrong.found))}, and the rule wants ${lookName(lookOf(wrong.wanted))}`
  return where + (rest === 0 ? "." : `; ${rest} more ${rest === 1 ? "cell does" : "cells do"} not fit.`)
}

/** The place on a map where a rule that was never used fits best; none if most of its cells do not fit there. */
export function nearestMiss({ nearest }: RuleSeen): RuleSeen["nearest"][number] | undefined {
  return nearest.find(({ wrong, pattern }) => wrong.length > 0 && wrong.length * 2 <= [...pattern.join("")].filter((sign) => sign !== "?").length)
}

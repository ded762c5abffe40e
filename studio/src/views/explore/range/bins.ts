/** Both axes of the plot cut into bins, and the seeds in each. */
import type { Range } from "./measured_range"
import { binOf, edgesOf, type Scale } from "./scale"

/** Places of the range by bin: `bins[y * columns + x]`. */
export interface Cloud {
  bins: number[][]
  top: number[]
  side: number[]
  most: number
  /** Seeds without one of the two measures. */
  without: number
  count: number
}

export interface Plotted {
  x: Scale
  y: Scale
  first: Cloud
  second: Cloud | null
}

/** As values, since bins change while more is measured. */
export type Spot = { x: number; y: number }

export interface Bin {
  column: number
  row: number
}

export function makeCloud(of: Range, [across, x]: [string, Scale], [up, y]: [string, Scale]): Cloud {
  const found: Cloud = { bins: Array.from({ length: x.bins * y.bins }, () => []), top: new Array<number>(x.bins).fill(0), side: new Array<number>(y.bins).fill(0), most: 0, without: 0, count: 0 }
  const [xs, ys] = [of.values(across), of.values(up)]
  if (!xs || !ys) return found
  for (let place = 0; place < xs.length; place++) {
    if (!of.has(across, place) || !of.has(up, place)) continue
    found.count++
    const [column, row] = [binOf(x, xs[place] as number), binOf(y, ys[place] as number)]
    if (column < 0 || row < 0) {
      found.without++
      continue
    }
    const bin = found.bins[row * x.bins + column] as number[]
    bin.push(place)
    found.most = Math.max(found.most, bin.length)
    found.top[column] = (found.top[column] ?? 0) + 1
    found.side[row] = (found.side[row] ?? 0) + 1
  }
  return found
}

export function binAt(spot: Spot | null, of: Plotted | null): Bin | null {
  if (!spot || !of) return null
  const [column, row] = [binOf(of.x, spot.x), binOf(of.y, spot.y)]
  return column < 0 || row < 0 ? null : { column, row }
}

/** A value in the middle of a bin; a whole number if there are only such. */
export function spotOf(bin: Bin, { x, y }: Plotted): Spot {
  const [from, to] = [edgesOf(x, bin.column), edgesOf(y, bin.row)]
  return { x: x.whole ? from[0] : (from[0] + from[1]) / 2, y: y.whole ? to[0] : (to[0] + to[1]) / 2 }
}

export function placesIn(of: Cloud | null | undefined, bin: Bin | null, x: Scale | undefined): number[] {
  return (bin && x && of?.bins[bin.row * x.bins + bin.column]) || []
}

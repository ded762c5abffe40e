/** How regions lead to each other, drawn on the ground: from the middle of a room to its doors, and along corridors from door to door. */
import type { Level } from "../../../state/level"

export interface Ways {
  /** Lines from the middles of rooms to where they are left. */
  rooms: [number, number, number, number][]
  /** Lines along corridors, each a row of cells. */
  corridors: number[][]
}

const pairKey = (a: number, b: number): number => (a < b ? a * 0x100000 + b : b * 0x100000 + a)

export function waysOf(level: Level): Ways {
  const { head, labels, width } = level
  const room = new Map(head.rooms.map((one) => [one.id, one]))
  /** By region: the cells through which it is left, in or beside it. */
  const exits = new Map<number, Set<number>>()
  const rooms: Ways["rooms"] = []
  const leave = (id: number, [x, y]: [number, number]): void => {
    const one = room.get(id)
    if (!one) return
    if (one.number > 0) rooms.push([one.at[0], one.at[1], x, y])
    else {
      const list = exits.get(id) ?? new Set<number>()
      exits.set(id, list)
      list.add(cellOfRegion(labels, width, id, Math.floor(x), Math.floor(y)))
    }
  }
  const joined = new Set<number>()
  for (const door of head.doors) {
    joined.add(pairKey(...door.between))
    for (const id of door.between) leave(id, door.at)
  }
  const touches = contactPoints(level, new Set(head.links.map((link) => pairKey(link.a, link.b)).filter((key) => !joined.has(key))))
  for (const link of head.links) {
    const key = pairKey(link.a, link.b)
    if (joined.has(key)) continue
    joined.add(key)
    const at = touches.get(key) ?? midpoint(room.get(link.a)?.at, room.get(link.b)?.at)
    if (!at) continue
    leave(link.a, at)
    leave(link.b, at)
  }
  return { rooms, corridors: [...exits].flatMap(([id, cells]) => corridorPaths(level, id, [...cells])) }
}

const midpoint = (a?: [number, number], b?: [number, number]): [number, number] | null => (a && b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : null)

/** A cell of a region at or beside a place. */
function cellOfRegion(labels: ArrayLike<number>, width: number, id: number, x: number, y: number): number {
  const cell = y * width + x
  return [cell, cell - 1, cell + 1, cell - width, cell + width].find((one) => labels[one] === id) ?? cell
}

/** Where two regions touch along a side: the middle of that side. */
function contactPoints({ labels, width, height }: Level, wanted: ReadonlySet<number>): Map<number, [number, number]> {
  const found = new Map<number, [number, number][]>()
  const meet = (cell: number, other: number): void => {
    const a = labels[cell] as number
    const b = labels[other] as number
    if (!a || !b || a === b) return
    const key = pairKey(a, b)
    if (!wanted.has(key)) return
    const at: [number, number] = [((cell % width) + (other % width)) / 2, (Math.floor(cell / width) + Math.floor(other / width)) / 2]
    const list = found.get(key)
    if (list) list.push(at)
    else found.set(key, [at])
  }
  if (wanted.size)
    for (let cell = 0; cell < width * height; cell++) {
      if (cell % width < width - 1) meet(cell, cell + 1)
      if (cell + width < width * height) meet(cell, cell + width)
    }
  return new Map([...found].map(([key, list]) => [key, list[list.length >> 1] as [number, number]]))
}

/** The shortest ways within a corridor from one of its exits to all others, as rows of cells. What two have in common is drawn once. */
function corridorPaths({ labels, width, height }: Level, id: number, exits: number[]): number[][] {
  const first = exits[0]
  if (first === undefined || exits.length < 2) return []
  const from = new Map<number, number>([[first, -1]])
  const queue = [first]
  for (let head = 0; head < queue.length; head++) {
    const cell = queue[head] as number
    const x = cell % width
    for (const next of [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width]) {
      if (next < 0 || next >= width * height || from.has(next) || labels[next] !== id) continue
      from.set(next, cell)
      queue.push(next)
    }
  }
  const done = new Set<number>([first])
  return exits.slice(1).map((exit) => {
    const row: number[] = []
    for (let cell = exit; cell >= 0; cell = from.get(cell) ?? -1) {
      row.push(cell)
      if (done.has(cell)) break
      done.add(cell)
    }
    return row
  })
}

export interface Choke {
  at: [number, number]
  cut: number
}

/**
 * A corridor is a row of choke points, and a diamond for each would hide the map: neighbours are one chain, which is marked once,
 * at a door if there is one, else in its middle.
 */
export function chainsOf(chokes: readonly Choke[], width: number, isDoor: (cell: number) => boolean): { marks: Choke[]; cells: number[] } {
  const at = new Map(chokes.map((choke) => [choke.at[1] * width + choke.at[0], choke]))
  const done = new Set<number>()
  const marks: Choke[] = []
  for (const first of at.keys()) {
    if (done.has(first)) continue
    const chain: number[] = []
    const stack = [first]
    done.add(first)
    while (stack.length) {
      const cell = stack.pop() as number
      chain.push(cell)
      for (const next of [cell - 1, cell + 1, cell - width, cell + width])
        if (at.has(next) && !done.has(next) && (Math.abs(next - cell) === width || Math.floor(next / width) === Math.floor(cell / width))) {
          done.add(next)
          stack.push(next)
        }
    }
    const doors = chain.filter(isDoor)
    if (doors.length) for (const cell of doors) marks.push(at.get(cell) as Choke)
    else {
      const most = chain.reduce((best, cell) => ((at.get(cell) as Choke).cut > (at.get(best) as Choke).cut ? cell : best), chain[0] as number)
      marks.push(at.get(most) as Choke)
    }
  }
  return { marks, cells: [...at.keys()] }
}

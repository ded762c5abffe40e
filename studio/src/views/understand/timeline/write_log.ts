/**
 * Everything that was ever written to a level's tiles, played in the page: the map at any turn, and who wrote a cell.
 *
 * Turn 0 is the blank map. A turn is a rewrite by a rule, or all that a step wrote at once. Whole maps are kept now and then, so that a jump plays a
 * few ten thousand changes at most; and each change points to the one before it in the same cell, so that the history of a cell is found at once.
 */
import type { TileInfo, TimelineHead } from "../../../server/protocol"
import type { Blocks } from "../../../server/message"

/** A map is kept after so many changes, or after as many as the map has cells if these are more. */
const KEYFRAME_CHANGES = 50_000
export const BY_HAND = "painted by hand"

/** A time in which the map has one size: cells are counted anew in each. */
interface Era {
  from: number
  size: [number, number]
  width: number
  height: number
}

export interface Write {
  turn: number
  source: string
  old: number
  new: number
}

export class WriteLog {
  readonly turns: number
  readonly names: string[]
  readonly who: Uint16Array
  readonly ends: Uint32Array
  readonly cells: Uint32Array
  readonly old: Uint8Array
  readonly new: Uint8Array
  readonly thinned: boolean
  /** For each thing of the level, the turn that placed it. */
  readonly things: ArrayLike<number>
  private readonly numbers: ArrayLike<number> | null
  private readonly told: number
  private readonly palettes: TimelineHead["palettes"]
  private readonly eras: Era[]
  private readonly kept: { turn: number; tiles: Uint8Array }[]
  private heads: Int32Array[] | null = null
  private before: Int32Array | null = null

  constructor(head: TimelineHead, blocks: Blocks, last?: { tiles: Uint8Array; size: [number, number]; palette: TileInfo[] }) {
    this.turns = head.turns
    this.names = [...head.names]
    this.who = blocks.who as Uint16Array
    this.ends = blocks.ends as Uint32Array
    this.cells = blocks.cells as Uint32Array
    this.old = blocks.old as Uint8Array
    this.new = blocks.new as Uint8Array
    this.thinned = head.thinned
    this.things = blocks.things ?? []
    this.numbers = blocks.numbers ?? null
    this.told = head.turns
    this.palettes = head.palettes
    this.eras = (head.sizes.length ? head.sizes : [{ from: 0, size: head.size }]).map(({ from, size }) => ({ from, size, width: size[0], height: size[1] }))
    this.kept = [{ turn: 0, tiles: (blocks.first as Uint8Array).slice() }]
    this.storeKeyframes()
    const painted = last && this.cellsPaintedByHand(last)
    if (painted) {
      this.turns++
      this.names.push(BY_HAND)
      this.who = concatenated(this.who, Uint16Array.of(this.names.length - 1))
      this.cells = concatenated(this.cells, Uint32Array.from(painted, ([cell]) => cell))
      this.old = concatenated(this.old, Uint8Array.from(painted, ([, old]) => old))
      this.new = concatenated(this.new, Uint8Array.from(painted, ([, , now]) => now))
      this.ends = concatenated(this.ends, Uint32Array.of(this.cells.length))
    }
  }

  get last(): number {
    return this.turns - 1
  }

  /** What the server calls a turn: a very long log contains only some turns, and hand-painted tiles are no turn of the server's. */
  serverTurn(turn: number): number {
    const at = Math.min(turn, this.told - 1)
    return this.numbers?.[at] ?? at
  }

  /** Where the changes of a turn begin. */
  begin(turn: number): number {
    return turn > 0 ? (this.ends[turn - 1] as number) : 0
  }
  end(turn: number): number {
    return this.ends[turn] as number
  }

  source(turn: number): string {
    return this.names[this.who[turn] as number] ?? ""
  }

  private era(turn: number): number {
    let found = 0
    while (found + 1 < this.eras.length && (this.eras[found + 1] as Era).from <= turn) found++
    return found
  }

  /** Width and height: the same array as long as they stay, so that signals derived from it do not change needlessly. */
  size(turn: number): [number, number] {
    return (this.eras[this.era(turn)] as Era).size
  }

  palette(turn: number): TileInfo[] {
    let found = this.palettes[0]?.tiles ?? []
    for (const one of this.palettes) if (one.from <= turn) found = one.tiles
    return found
  }

  /** The turn that made a change. */
  turnOf(change: number): number {
    let low = 0
    let high = this.last
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.ends[middle] as number) > change) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Plays from one turn to a later one of the same era, in place. */
  private redo(tiles: Uint8Array, from: number, to: number): void {
    const { cells } = this
    const now = this.new
    const stop = this.end(to)
    for (let k = this.end(from); k < stop; k++) tiles[cells[k] as number] = now[k] as number
  }

  private undo(tiles: Uint8Array, from: number, to: number): void {
    const { cells, old } = this
    const stop = this.end(to)
    for (let k = this.end(from) - 1; k >= stop; k--) tiles[cells[k] as number] = old[k] as number
  }

  private storeKeyframes(): void {
    let { tiles } = this.kept[0] as { tiles: Uint8Array }
    tiles = tiles.slice()
    let at = 0
    for (const [index, era] of this.eras.entries()) {
      if (index > 0) {
        tiles = new Uint8Array(era.width * era.height)
        this.redo(tiles, era.from - 1, era.from)
        at = era.from
        this.kept.push({ turn: at, tiles: tiles.slice() })
      }
      const until = (this.eras[index + 1]?.from ?? this.turns) - 1
      const far = Math.max(KEYFRAME_CHANGES, tiles.length)
      while (this.end(until) - this.end(at) > far) {
        const next = Math.min(until, Math.max(at + 1, this.turnOf(this.end(at) + far)))
        this.redo(tiles, at, next)
        at = next
        this.kept.push({ turn: at, tiles: tiles.slice() })
      }
    }
  }

  /** The tiles after a turn. Given those of another turn, they are played on from there if that is nearer than a map that was kept. */
  at(turn: number, from?: { turn: number; tiles: Uint8Array }): Uint8Array {
    const era = this.era(turn)
    let low = 0
    let high = this.kept.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.kept[middle] as { turn: number }).turn <= turn) low = middle
      else high = middle - 1
    }
    const key = this.kept[low] as { turn: number; tiles: Uint8Array }
    const fromKey = this.end(turn) - this.end(key.turn) + key.tiles.length / 16
    if (from && this.era(from.turn) === era && Math.abs(this.end(from.turn) - this.end(turn)) <= fromKey) {
      if (from.turn <= turn) this.redo(from.tiles, from.turn, turn)
      else this.undo(from.tiles, from.turn, turn)
      return from.tiles
    }
    const tiles = key.tiles.slice()
    this.redo(tiles, key.turn, turn)
    return tiles
  }

  /** Cells that differ at the end from what the log says: tiles painted by hand. Null if there are none, or if the two cannot be compared. */
  private cellsPaintedByHand(last: { tiles: Uint8Array; size: [number, number]; palette: TileInfo[] }): [number, number, number][] | null {
    const [width, height] = this.size(this.last)
    if (last.size[0] !== width || last.size[1] !== height) return null
    const known = this.palette(this.last)
    if (known.some((tile, code) => tile.name !== last.palette[code]?.name)) return null
    const tiles = this.at(this.last)
    const found: [number, number, number][] = []
    for (let cell = 0; cell < tiles.length; cell++) if (tiles[cell] !== last.tiles[cell]) found.push([cell, tiles[cell] as number, last.tiles[cell] as number])
    return found.length ? found : null
  }

  private index(): { heads: Int32Array[]; before: Int32Array } {
    if (!this.heads || !this.before) {
      const before = new Int32Array(this.cells.length)
      this.heads = this.eras.map((era, index) => {
        const head = new Int32Array(era.width * era.height).fill(-1)
        const first = index === 0 ? 0 : this.begin(era.from)
        const stop = this.end((this.eras[index + 1]?.from ?? this.turns) - 1)
        for (let k = first; k < stop; k++) {
          const cell = this.cells[k] as number
          before[k] = head[cell] as number
          head[cell] = k
        }
        return head
      })
      this.before = before
    }
    return { heads: this.heads, before: this.before }
  }

  /** All writes to a cell in the size that the map has in a turn, the last first; the map's first state is not among them. */
  history(cell: number, turn: number): Write[] {
    const { heads, before } = this.index()
    const era = this.era(turn)
    const found: Write[] = []
    for (let k = heads[era]?.[cell] ?? -1; k >= 0; k = before[k] as number) {
      const at = this.turnOf(k)
      found.push({ turn: at, source: this.source(at), old: this.old[k] as number, new: this.new[k] as number })
    }
    return found
  }

  /** Who wrote a cell last, up to a turn; null if it stands as it began. */
  writer(cell: number, turn: number): Write | null {
    return this.history(cell, turn).find((one) => one.turn <= turn) ?? null
  }

  /** The cells that a turn changed, at most so many. */
  changedCells(turn: number, most = 4096): number[] {
    return Array.from(this.cells.subarray(this.begin(turn), Math.min(this.end(turn), this.begin(turn) + most)))
  }
}

function concatenated<T extends Uint8Array | Uint16Array | Uint32Array>(a: T, b: T): T {
  const both = new (a.constructor as new (length: number) => T)(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

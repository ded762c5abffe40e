/**
 * A layout as the editor holds it: partitions in order, and cells that each have a tile and belong to a partition, to the base or to the overlay.
 *
 * It never changes: every edit gives a new one, so undo is a list of them. `fromData` and `toData` go between it and the data of the server.
 */
export const BASE = -1
export const OVERLAY = -2

export type Direction = -1 | 0 | 1

export interface Axis {
  locked: boolean
  by: "amount" | "multiples"
  amount: number
  /** 1 grows right or down, -1 left or up, 0 both ways. */
  direction: Direction
}

export interface Part {
  /** Stays the same when partitions change places. */
  id: number
  name: string
  colour: string
  icon: string
  ratio: boolean
  x: Axis
  y: Axis
}

/** A place for a thing, or one where rooms are joined. */
export type Mark = { what: "slot"; kind: string } | { what: "socket"; kind: string; becomes: string }

export interface Cell {
  /** The name of the tile; under a socket it is wall. */
  tile: string
  mark?: Mark
  /** The id of its partition, BASE or OVERLAY. */
  part: number
}

export interface Doc {
  name: string
  tags: readonly string[]
  flipX: boolean
  flipY: boolean
  parts: readonly Part[]
  cells: ReadonlyMap<string, Cell>
}

export const cellKey = (x: number, y: number): string => `${x},${y}`
export const placeOfKey = (of: string): [number, number] => of.split(",").map(Number) as [number, number]

let lastId = 0
export const newId = (): number => ++lastId

export const FREE_AXIS: Axis = { locked: false, by: "amount", amount: 1, direction: 1 }

/** From the first column and row that have a cell to the last. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export function boxOf(cells: Iterable<string>): Box | null {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const one of cells) {
    const [x, y] = placeOfKey(one)
    x0 = Math.min(x0, x)
    y0 = Math.min(y0, y)
    x1 = Math.max(x1, x)
    y1 = Math.max(y1, y)
  }
  return x1 < x0 ? null : { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 }
}

export const cellsOfPart = (doc: Doc, part: number): string[] => [...doc.cells].filter(([, cell]) => cell.part === part).map(([one]) => one)

/* ---- data ---- */

interface TileData {
  tileType: string
  position: string
  slot?: string
  socket?: string
  becomes?: string
}
interface PartData {
  name?: string
  color?: string
  icon?: string
  lockRatio?: boolean
  lockX?: boolean
  lockY?: boolean
  splitScalingOnX?: boolean
  splitScalingOnY?: boolean
  incrementAmtX?: number
  incrementAmtY?: number
  xDir?: Direction
  yDir?: Direction
  tiles: TileData[]
}
interface LayoutData {
  name?: string
  tags?: string[]
  allowFlipX?: boolean
  allowFlipY?: boolean
  excludedTiles: TileData[]
  unscaledTiles: TileData[]
  scalePartitions: PartData[]
}

/** The layout that some data means. Partitions that have the name of one in `before` are that one, so that what is chosen stays chosen. */
export function fromData(data: unknown, before?: Doc | null): Doc {
  const found = data as LayoutData
  const cells = new Map<string, Cell>()
  const put = (tiles: readonly TileData[], part: number): void => {
    for (const tile of tiles) {
      const mark: Mark | undefined =
        tile.slot !== undefined ? { what: "slot", kind: tile.slot } : tile.socket !== undefined ? { what: "socket", kind: tile.socket, becomes: tile.becomes ?? "door" } : undefined
      cells.set(cellKey(...placeOfKey(tile.position)), { tile: tile.tileType, part, ...(mark ? { mark } : {}) })
    }
  }
  const left = [...(before?.parts ?? [])]
  const idOf = (name: string, index: number): number => {
    const same = left.findIndex((part) => part.name === name)
    const place = same >= 0 ? same : left.findIndex((part) => before?.parts[index] === part && !found.scalePartitions.some((one) => one.name === part.name))
    return place >= 0 ? (left.splice(place, 1)[0] as Part).id : newId()
  }
  const parts = found.scalePartitions.map((one, index): Part => {
    const id = idOf(one.name ?? "", index)
    put(one.tiles, id)
    return {
      id,
      name: one.name ?? "",
      colour: one.color ?? "",
      icon: one.icon ?? "",
      ratio: one.lockRatio ?? true,
      x: { locked: one.lockX ?? false, by: one.splitScalingOnX ? "multiples" : "amount", amount: one.incrementAmtX ?? 1, direction: one.xDir ?? 1 },
      y: { locked: one.lockY ?? false, by: one.splitScalingOnY ? "multiples" : "amount", amount: one.incrementAmtY ?? 1, direction: one.yDir ?? 1 },
    }
  })
  put(found.unscaledTiles, BASE)
  put(found.excludedTiles, OVERLAY)
  return { name: found.name ?? "", tags: found.tags ?? [], flipX: found.allowFlipX ?? false, flipY: found.allowFlipY ?? false, parts, cells }
}

export function toData(doc: Doc): LayoutData {
  const tilesOfPart = (part: number): TileData[] =>
    [...doc.cells]
      .filter(([, cell]) => cell.part === part)
      .map(([position, cell]) => ({
        tileType: cell.tile,
        position,
        ...(cell.mark?.what === "slot" ? { slot: cell.mark.kind } : {}),
        ...(cell.mark?.what === "socket" ? { socket: cell.mark.kind, becomes: cell.mark.becomes } : {}),
      }))
  return {
    ...(doc.name ? { name: doc.name } : {}),
    tags: [...doc.tags],
    allowFlipX: doc.flipX,
    allowFlipY: doc.flipY,
    excludedTiles: tilesOfPart(OVERLAY),
    unscaledTiles: tilesOfPart(BASE),
    scalePartitions: doc.parts.map((part) => ({
      name: part.name,
      color: part.colour,
      icon: part.icon,
      lockRatio: part.ratio,
      lockX: part.x.locked,
      splitScalingOnX: part.x.by === "multiples",
      incrementAmtX: part.x.amount,
      xDir: part.x.direction,
      lockY: part.y.locked,
      splitScalingOnY: part.y.by === "multiples",
      incrementAmtY: part.y.amount,
      yDir: part.y.direction,
      tiles: tilesOfPart(part.id),
    })),
  }
}

/* ---- parts and marks ---- */

export const partOf = (doc: Doc, id: number): Part | undefined => doc.parts.find((part) => part.id === id)

/** What a part is called: its name, or its number if it has none. */
export function partName(doc: Doc, id: number): string {
  if (id === BASE) return "base"
  if (id === OVERLAY) return "overlay"
  const index = doc.parts.findIndex((part) => part.id === id)
  return doc.parts[index]?.name || `partition ${index + 1}`
}

/** All slots and sockets that are drawn, each once. */
export function marksOf(doc: Doc): { mark: Mark; tile: string }[] {
  const found = new Map<string, { mark: Mark; tile: string }>()
  for (const cell of doc.cells.values()) if (cell.mark) found.set(JSON.stringify([cell.mark, cell.mark.what === "slot" ? cell.tile : ""]), { mark: cell.mark, tile: cell.tile })
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

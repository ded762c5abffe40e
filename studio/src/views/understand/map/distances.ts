/** The distance of every cell from one cell over walkable tiles; -1 where it cannot be reached. The same numbers as the server's, at any turn. */
export function distances(tiles: Uint8Array, walkable: readonly boolean[], width: number, height: number, from: number): Int32Array {
  const far = new Int32Array(width * height).fill(-1)
  if (!walkable[tiles[from] as number]) return far
  const queue = new Int32Array(width * height)
  let head = 0
  let tail = 0
  far[from] = 0
  queue[tail++] = from
  while (head < tail) {
    const cell = queue[head++] as number
    const next = (far[cell] as number) + 1
    const x = cell % width
    const put = (other: number): void => {
      if (far[other] === -1 && walkable[tiles[other] as number]) {
        far[other] = next
        queue[tail++] = other
      }
    }
    if (x > 0) put(cell - 1)
    if (x < width - 1) put(cell + 1)
    if (cell >= width) put(cell - width)
    if (cell < width * (height - 1)) put(cell + width)
  }
  return far
}

/** Sets of cells as runs [first, length], as they are sent. */
export function cellsOfRuns(runs: readonly [number, number][]): Set<number> {
  const cells = new Set<number>()
  for (const [first, length] of runs) for (let cell = first; cell < first + length; cell++) cells.add(cell)
  return cells
}

export function runsOfCells(cells: Iterable<number>): [number, number][] {
  const runs: [number, number][] = []
  for (const cell of [...cells].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last[0] + last[1] === cell) last[1]++
    else runs.push([cell, 1])
  }
  return runs
}

/** Groups of cells that touch: each gets a plate of its own. Gives the box of each. */
export function groupsOf(cells: Set<number>, width: number): { x: number; y: number; right: number; bottom: number; cells: number }[] {
  const left = new Set(cells)
  const groups = []
  for (const first of cells) {
    if (!left.delete(first)) continue
    const box = { x: first % width, y: Math.floor(first / width), right: 0, bottom: 0, cells: 0 }
    const stack = [first]
    while (stack.length) {
      const cell = stack.pop() as number
      const x = cell % width
      const y = Math.floor(cell / width)
      box.x = Math.min(box.x, x)
      box.y = Math.min(box.y, y)
      box.right = Math.max(box.right, x + 1)
      box.bottom = Math.max(box.bottom, y + 1)
      box.cells++
      for (const next of [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width]) if (left.delete(next)) stack.push(next)
    }
    groups.push(box)
  }
  return groups
}

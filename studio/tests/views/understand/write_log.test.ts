import { describe, expect, test } from "vitest"
import { BY_HAND } from "../../../src/views/understand/timeline/write_log"
import { logOf, type Turn } from "../../support/logs"
import { randomFrom } from "../../support/random"

const small: Turn[] = [
  { who: "fill", writes: [[0, 1], [1, 1], [2, 1], [3, 1]] },
  { who: "dig: room", writes: [[1, 2]] },
  { who: "dig: room", writes: [[1, 4], [2, 2]] },
]

test("the map at every turn", () => {
  const { log, maps } = logOf([2, 2], small)
  expect(log.last).toBe(3)
  maps.forEach((map, turn) => expect(log.at(turn)).toEqual(map))
})

describe("who wrote a cell", () => {
  const { log } = logOf([2, 2], small)
  test("the last first, with what was there before", () => {
    expect(log.history(1, 3)).toEqual([{ turn: 3, source: "dig: room", old: 2, new: 4 }, { turn: 2, source: "dig: room", old: 1, new: 2 }, { turn: 1, source: "fill", old: 0, new: 1 }])
  })
  test("up to a turn", () => {
    expect(log.writer(1, 2)?.turn).toBe(2)
    expect(log.writer(1, 0)).toBeNull()
    expect(log.writer(0, 3)?.source).toBe("fill")
  })
  test("and which cells a turn changed, at most so many", () => {
    expect(log.changedCells(3)).toEqual([1, 2])
    expect(log.changedCells(1, 2)).toEqual([0, 1])
    expect(log.changedCells(0)).toEqual([])
  })
})

test("a long random log plays the same forward, backward, by jumps and from a map at hand", () => {
  const random = randomFrom(12)
  const turns: Turn[] = Array.from({ length: 400 }, (_, k) => ({ who: `step: r${k % 5}`, writes: Array.from({ length: random.below(900) }, () => [random.below(40), random.below(13)]) }))
  const { log, maps } = logOf([8, 5], turns)
  let held = { turn: 0, tiles: log.at(0) }
  for (let k = 0; k < 300; k++) {
    const turn = random.below(3) ? Math.max(0, Math.min(400, held.turn + random.below(7) - 3)) : random.below(401)
    held = { turn, tiles: log.at(turn, held) }
    expect(held.tiles).toEqual(maps[turn])
    expect(log.at(turn)).toEqual(maps[turn])
  }
  for (let cell = 0; cell < 40; cell++)
    for (const turn of [0, 1, 57, 200, 400]) {
      const writer = log.writer(cell, turn)
      expect(writer?.new ?? 0).toBe(maps[turn]?.[cell])
    }
  for (let change = 0; change < log.end(400); change += 977) {
    const turn = log.turnOf(change)
    expect(log.begin(turn)).toBeLessThanOrEqual(change)
    expect(log.end(turn)).toBeGreaterThan(change)
  }
})

test("a map that changes its size is counted anew", () => {
  const { log, maps } = logOf([2, 2], [
    { who: "a", writes: [[0, 1]] },
    { who: "scale", size: [3, 2], writes: Array.from({ length: 6 }, (_, cell) => [cell, 2]) },
    { who: "b", writes: [[5, 3]] },
  ])
  expect(log.size(1)).toEqual([2, 2])
  expect(log.size(2)).toEqual([3, 2])
  expect(log.size(2)).toBe(log.size(3))
  maps.forEach((map, turn) => expect(log.at(turn)).toEqual(map))
  expect(log.at(1, { turn: 3, tiles: log.at(3) })).toEqual(maps[1])
  expect(log.history(0, 1)).toHaveLength(1)
  expect(log.history(5, 3).map((write) => write.turn)).toEqual([3, 2])
  expect(log.history(0, 3).map((write) => write.turn)).toEqual([2])
})

describe("tiles painted by hand", () => {
  test("are one more turn at the end", () => {
    const { log } = logOf([2, 2], small, { tiles: Uint8Array.of(1, 4, 2, 9), size: [2, 2] })
    expect(log.last).toBe(4)
    expect(log.source(4)).toBe(BY_HAND)
    expect(log.at(4)).toEqual(Uint8Array.of(1, 4, 2, 9))
    expect(log.writer(3, 4)).toEqual({ turn: 4, source: BY_HAND, old: 1, new: 9 })
    expect(log.serverTurn(4)).toBe(3)
  })
  test("are none if nothing differs, or the sizes do", () => {
    expect(logOf([2, 2], small, { tiles: Uint8Array.of(1, 4, 2, 1), size: [2, 2] }).log.last).toBe(3)
    expect(logOf([2, 2], small, { tiles: new Uint8Array(6), size: [3, 2] }).log.last).toBe(3)
  })
})

test("an empty log is the blank map", () => {
  const { log } = logOf([3, 1], [])
  expect(log.last).toBe(0)
  expect(log.at(0)).toEqual(new Uint8Array(3))
  expect(log.history(2, 0)).toEqual([])
})

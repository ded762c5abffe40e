/** Random numbers that are the same in every run, for tests that try many inputs. */
export function randomFrom(seed: number): { below: (end: number) => number; pick: <T>(list: readonly T[]) => T } {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}

/** The cells on the straight way from one to another, both with it: a pointer that moves fast skips cells between two of its events. */
export function cellsBetween(from: readonly [number, number], to: readonly [number, number]): [number, number][] {
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]))
  return Array.from({ length: steps + 1 }, (_, step) => (step === 0 ? [from[0], from[1]] : [Math.round(from[0] + ((to[0] - from[0]) * step) / steps), Math.round(from[1] + ((to[1] - from[1]) * step) / steps)]))
}

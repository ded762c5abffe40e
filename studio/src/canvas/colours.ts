/** Colours as numbers, for pixels written by hand. */
export type Rgb = [number, number, number]

export function rgb(hex: string): Rgb {
  const code = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex
  return [parseInt(code.slice(1, 3), 16), parseInt(code.slice(3, 5), 16), parseInt(code.slice(5, 7), 16)]
}

export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
export const css = (colour: Rgb, alpha = 1): string => `rgba(${colour.map(Math.round).join(",")},${alpha})`
/** As a canvas keeps it: red in the lowest byte. */
export const pixel = (colour: Rgb, alpha = 255): number => ((alpha << 24) | (Math.round(colour[2]) << 16) | (Math.round(colour[1]) << 8) | Math.round(colour[0])) >>> 0

/** One ramp for distances and densities in all views. */
export const RAMP = ["#3a2a78", "#6b3592", "#a33f8f", "#d6547f", "#f06d72", "#fb9269", "#ffb074"].map(rgb)
/** The same for the light theme: paler, so that a wall of thumbnails stays calm. */
const PALE_RAMP = RAMP.map((colour) => mix(colour, rgb("#f7f2e5"), 0.34))

export function ramp(share: number, light = false): Rgb {
  const steps = light ? PALE_RAMP : RAMP
  const at = Math.max(0, Math.min(1, share)) * (steps.length - 1)
  const low = Math.min(steps.length - 2, Math.floor(at))
  return mix(steps[low] as Rgb, steps[low + 1] as Rgb, at - low)
}

/** Tints of regions: between blue and plum, so that they never read as pass or fail. */
export const TINTS = ["#46518f", "#7a4a86", "#3d6a86", "#5d4a8c", "#8a4a77", "#4a7a80", "#50609f", "#6b4f97", "#3f5d8a", "#834f80"].map(rgb)
export const tint = (id: number): Rgb => TINTS[((id * 7) % TINTS.length + TINTS.length) % TINTS.length] as Rgb

export const START = "#3ee0a0"
export const END = "#ff5a70"

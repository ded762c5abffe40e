/** How a parameter becomes a slider: its ends, its step, its words. */
import type { Param } from "../../../server/protocol"

/** A round number not below this one: 10, 20, 50, 100, 200 ... */
function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return ([1, 2, 5, 10].find((digit) => digit * power >= least) ?? 10) * power
}

export interface Ends {
  low: number
  high: number
  step: number
  /** The slider ends before the parameter does: the number can be typed. */
  cut: boolean
}

/**
 * The slider's ends. A range of a million makes a slider useless, so it ends at a round number some way above the default; larger values are typed,
 * and then the slider reaches as far.
 */
export function sliderEnds(param: Param, value: number): Ends {
  const first = Number(param.default)
  const low = param.low ?? Math.min(0, first)
  const wide = (param.high ?? Infinity) - low
  const whole = param.kind === "whole"
  const narrow = wide <= (whole ? 100 : 10)
  const high = narrow ? low + wide : Math.min(param.high ?? Infinity, roundUp(Math.max(whole ? 10 : 2, 3 * Math.abs(first), value)))
  const span = high - low
  const step = whole ? 1 : span <= 2 ? 0.01 : span <= 20 ? 0.1 : 1
  return { low, high, step, cut: high < low + wide }
}

export const spokenName = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ")

/** A number without the noise of binary fractions. */
export const numberText = (value: number): string => (Number.isInteger(value) ? String(value) : String(Math.round(value * 10000) / 10000))

/** To the step of the slider, without the noise. */
export const roundedToStep = (value: number, step: number): number => Math.round(Math.round(value / step) * step * 1e6) / 1e6

/** Measures and requirements of a level: ticks and crosses, counts of attempts that were rejected, and what can be done about it. */
import type { ComponentChildren } from "preact"
import { Icon } from "./icons"
import { type Required, measureName, requirementText, valueText, aboutMeasure } from "./measure_text"

export function RequirementRows({ of }: { of: readonly Required[] }) {
  return (
    <ul class="measures" aria-label="Requirements">
      {of.map((one) => (
        <li key={one.text} class={"measure" + (one.met ? "" : " failed")} title={aboutMeasure(one.measure)}>
          <span class={one.met ? "ok" : "bad"}>
            <Icon name={one.met ? "check" : "cross"} small />
            <span class="unseen">{one.met ? "met:" : "not met:"}</span>
          </span>
          <span class="measure-name">{measureName(one.measure)}</span>
          <span class="measure-asked">{requirementText(one)}</span>
          <span class="measure-value">{valueText(one.measure, one.value)}</span>
        </li>
      ))}
    </ul>
  )
}

interface MeasureRowProps {
  name: string
  value: number | null | undefined
  /** What it is, where the name alone could be something else. */
  what?: string
  children?: ComponentChildren
}

export function MeasureRow({ name, value, what, children }: MeasureRowProps) {
  return (
    <li class="measure plain" title={aboutMeasure(name)}>
      <span />
      <span class="measure-label">
        <span class="measure-name">{measureName(name)}</span>
        {what && <span class="measure-what"> ({what})</span>}
      </span>
      <span>{children}</span>
      <span class="measure-value">{valueText(name, value)}</span>
    </li>
  )
}

/** "4 of 5 met", green or red. */
export function MetChip({ of }: { of: readonly Required[] }) {
  if (of.length === 0) return null
  const met = of.filter((one) => one.met).length
  const all = met === of.length
  return (
    <span class={"chip met " + (all ? "ok" : "bad")}>
      <Icon name={all ? "check" : "cross"} small />
      {all ? (of.length === 1 ? "met" : of.length === 2 ? "both met" : `all ${of.length} met`) : `${met} of ${of.length} met`}
    </span>
  )
}

/** For which requirements attempts were rejected, as a bar and as a sentence. */
export function Rejected({ of, children }: { of: readonly Required[]; children?: ComponentChildren }) {
  const causes = of.filter((one) => one.rejected > 0).sort((a, b) => b.rejected - a.rejected)
  return (
    <>
      <div class="rejected-bar" aria-hidden="true">
        {causes.map((one, at) => (
          <i key={one.text} style={{ flex: one.rejected, opacity: Math.max(0.3, 1 - at * 0.35) }} title={`${one.text}: ${one.rejected}`} />
        ))}
      </div>
      <p class="rejected-words">
        Rejected for {causes.map((one) => `${measureName(one.measure)} ${one.rejected}`).join(", ")}
        {children}
      </p>
    </>
  )
}

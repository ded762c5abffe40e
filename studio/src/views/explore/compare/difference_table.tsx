/** The measures of both, with their differences. What differs most, seen against what the recipe reaches, comes first. */
import { useSignal } from "@preact/signals"
import { Segmented } from "../../../widgets/choices"
import { Icon } from "../../../widgets/icons"
import { aboutMeasure, measureName, valueText, requirementText } from "../../../widgets/measure_text"
import { greeting } from "../../../server/connection"
import { range } from "../loading"
import { measured } from "../range/measured_range"
import { compareMeasure, differenceText, type Row } from "./measure_difference"
import { differing, sides } from "./state"
import { dependOn } from "../../../state/depend_on"

function rows(): Row[] {
  dependOn(measured.value)
  const [a, b] = [sides.a.level.value?.head.measures ?? {}, sides.b.level.value?.head.measures ?? {}]
  return (greeting.value?.measures ?? [])
    .filter(({ name }) => name in a || name in b)
    .map(({ name }) => compareMeasure(name, a[name] ?? null, b[name] ?? null, [...(range.value?.values(name) ?? [])].filter((value) => !Number.isNaN(value))))
}

export function Differences() {
  const order = useSignal<"far" | "name">("far")
  const all = rows()
  const same = all.filter((row) => row.a === row.b)
  const shown = order.value === "far" ? all.filter((row) => row.a !== row.b).sort((x, y) => y.far - x.far) : all
  const cells = differing.value
  const size = sides.a.level.value
  return (
    <aside class="cp-table" aria-label="Measures">
      <header class="panel-head">
        <h2>Measures</h2>
        <span class="gap" />
        <Segmented
          small
          label="Order of measures"
          value={order.value}
          options={[
            { value: "far", title: "Differences" },
            { value: "name", title: "All" },
          ]}
          onChange={(value) => (order.value = value)}
        />
      </header>
      <div class="cp-scroll" role="region" aria-label="Measures of A and B" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Measure</span>
              </th>
              <th scope="col">
                <span class="xp-mark">A</span>
              </th>
              <th scope="col">
                <span class="xp-mark hollow">B</span>
              </th>
              <th scope="col">B − A</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.name} class={row.far > 0.25 ? "far" : row.a === row.b ? "same" : ""} data-measure={row.name}>
                <th scope="row" title={aboutMeasure(row.name)}>
                  {measureName(row.name)}
                  <Dumbbell row={row} />
                </th>
                <td title={row.ranks[0]}>{valueText(row.name, row.a)}</td>
                <td title={row.ranks[1]}>{valueText(row.name, row.b)}</td>
                <td class="cp-by">{differenceText(row.name, row.a, row.b)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {order.value === "far" && same.length > 0 && <p class="cp-same">The same in both: {same.map((row) => measureName(row.name)).join(", ")}.</p>}
        <Required />
      </div>
      <footer class="panel-foot cp-foot">{cells && size ? `${cells.count.toLocaleString("en")} of ${size.tiles.length.toLocaleString("en")} cells differ (${Math.round((cells.count / size.tiles.length) * 100)} %)` : "Of different size: cells are not compared one by one"}</footer>
    </aside>
  )
}

/** Both values on the line of what is known: A filled, B hollow. */
function Dumbbell({ row: { places } }: { row: Row }) {
  const [a, b] = places
  return (
    <span class="cp-line" aria-hidden="true">
      {a !== null && b !== null && <i class="cp-span" style={{ left: `${Math.min(a, b) * 100}%`, width: `${Math.abs(a - b) * 100}%` }} />}
      {a !== null && <i class="cp-dot" style={{ left: `${a * 100}%` }} />}
      {b !== null && <i class="cp-dot hollow" style={{ left: `${b * 100}%` }} />}
    </span>
  )
}

function Required() {
  const [a, b] = [sides.a.level.value?.head.requirements ?? [], sides.b.level.value?.head.requirements ?? []]
  const texts = [...new Set([...a, ...b].map((one) => one.text))]
  if (texts.length === 0) return null
  const sign = (one: (typeof a)[number] | undefined) =>
    one ? (
      <td class={one.met ? "ok" : "bad"} title={one.why || undefined}>
        <Icon name={one.met ? "check" : "cross"} small />
        <span class="unseen">{one.met ? "met" : "not met"}</span>
      </td>
    ) : (
      <td class="quiet">–</td>
    )
  return (
    <table class="cp-required" aria-label="Requirements">
      <tbody>
        {texts.map((text) => {
          const [left, right] = [a.find((one) => one.text === text), b.find((one) => one.text === text)]
          const any = left ?? right
          return (
            <tr key={text}>
              <th scope="row">
                {any ? `${measureName(any.measure)} ${requirementText(any)}` : text}
              </th>
              {sign(left)}
              {sign(right)}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

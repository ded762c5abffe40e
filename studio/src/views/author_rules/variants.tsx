/** Every position in which the rule is looked for, as the server turns it. */
import { Icon } from "../../parts/icons"
import { sentence } from "../../editor/lens"
import type { Rule } from "./anatomy"
import { Cells, differs, splitRows, widthOf } from "./cells"
import { drawnOf } from "./reading"

const ROOM = 74

export function Variants({ rule }: { rule: Rule }) {
  const drawn = drawnOf(rule)
  const variants = drawn?.variants ?? []
  const longest = Math.max(1, ...variants.flatMap((one) => [one.pattern.length, [...(one.pattern[0] ?? "")].length]))
  const size = Math.max(4, Math.min(15, Math.floor((ROOM + 2) / longest) - (longest > 5 ? 1 : 2)))
  return (
    <section class="ar-variants" aria-label="Variants">
      <h3>
        Variants <span class="quiet">{drawn ? sentence(drawn.variant_note) : ""}</span>
      </h3>
      <ul style={{ "--least": `${2 * widthOf(longest, size) + 50}px` }}>
        {variants.map((variant) => {
          const from = splitRows(variant.pattern)
          const to = splitRows(variant.result)
          return (
            <li key={variant.label}>
              <div class="ar-variant" style={{ minHeight: ROOM }}>
                <Cells rows={from} size={size} label="pattern" />
                <Icon name="right" small />
                <Cells rows={to} size={size} label="result" mark={differs(from, to)} />
              </div>
              <span>{variant.label}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Every position in which the rule is looked for, as the server turns it. */
import { Icon } from "../../../../widgets/icons"
import { sentence } from "../../../../editor/problem_text"
import type { Rule } from "../text/anatomy"
import { Cells, marksDifferences, splitRows, gridWidth } from "./cells"
import { ruleReading, problems } from "../reading"
import { useWidth } from "../use_width"

/** Four in a row, as long as a card keeps this width. */
const MIN_CARD_WIDTH = 132

export function Variants({ rule }: { rule: Rule }) {
  const drawn = ruleReading(rule)
  const variants = drawn?.variants ?? []
  const [holder, width] = useWidth(700)
  const columns = Math.max(1, Math.min(4, Math.floor((width - 40 + 8) / (MIN_CARD_WIDTH + 8))))
  const longest = Math.max(1, ...variants.flatMap((one) => [one.pattern.length, [...(one.pattern[0] ?? "")].length]))
  const high = innerHeight < 800 ? 56 : variants.length > 4 ? 60 : 76
  const across = ((width - 40 - (columns - 1) * 8) / columns - 44) / 2
  const gap = Math.min(high, across) / longest > 13 ? 2 : 1
  const size = Math.max(4, Math.min(15, Math.floor((Math.min(high, across) + gap) / longest) - gap))
  return (
    <section class="ar-variants" aria-label="Variants" ref={holder}>
      <h3>
        Variants <span class="quiet">{!drawn ? (problems.value.length ? "They are shown when the text can be read." : "") : variants.length === 1 ? "In this position only." : sentence(drawn.variant_note)}</span>
      </h3>
      <ul style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {variants.map((variant) => {
          const from = splitRows(variant.pattern)
          const to = splitRows(variant.result)
          return (
            <li key={variant.label}>
              <div class="ar-variant" style={{ minHeight: Math.min(high, gridWidth(longest, size)) }}>
                <Cells rows={from} size={size} label="pattern" />
                <Icon name="right" small />
                <Cells rows={to} size={size} label="result" mark={marksDifferences(from, to)} />
              </div>
              <span>{variant.label}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

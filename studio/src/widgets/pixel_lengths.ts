/**
 * Numbers of lengths in styles are pixels: `style={{ left: 12, paddingLeft: 16 }}`.
 *
 * The browser would drop a length without a unit. `preact/compat` would add it too, and more: there `onChange` of every field means `onInput`, and the
 * end of a drag on a slider could not be noticed.
 */
import { options, type VNode } from "preact"

const LENGTH_PROPERTY = /^(left|top|right|bottom|inset|width|height|min|max|margin|padding|gap|rowGap|columnGap|fontSize|border|flexBasis)/

const previousHook = options.vnode?.bind(options)
options.vnode = (node: VNode) => {
  const style = typeof node.type === "string" ? (node.props as { style?: unknown }).style : undefined
  if (style && typeof style === "object") {
    const told = style as Record<string, unknown>
    for (const name in told) if (typeof told[name] === "number" && LENGTH_PROPERTY.test(name)) told[name] = `${told[name]}px`
  }
  previousHook?.(node)
}

/**
 * A component that is drawn again only if its properties differ.
 *
 * It replaces `memo` of `preact/compat`, which changes more: once that is loaded, `onChange` of every field means `onInput`.
 */
import { Component, createElement, type ComponentChild, type ComponentType, type FunctionComponent } from "preact"

export function memo<P extends object>(Inner: FunctionComponent<P>, same: (before: P, after: P) => boolean = shallowEqual): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props, next)
    }
    override render(): ComponentChild {
      return createElement(Inner, this.props as never)
    }
  }
}

function shallowEqual<P extends object>(before: P, after: P): boolean {
  const names = Object.keys(after) as (keyof P)[]
  return names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], after[name]))
}

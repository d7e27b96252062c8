// The only place that knows preact, but for what the compiler makes of markup.
import { Component, type ComponentChildren, type FunctionComponent } from 'preact'

export { type ComponentChildren, render } from 'preact'
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

/** A component that is drawn anew only when one of its properties, or what it remembers itself, changes. */
export function steady<Props extends object>(Drawn: FunctionComponent<Props>) {
  return class Steady extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const [before, after] = [this.props as Record<string, unknown>, next as Record<string, unknown>]
      return Object.keys(after).some(name => before[name] !== after[name])
    }

    override render(): ComponentChildren {
      return <Drawn {...this.props} />
    }
  }
}

import { createElement, Fragment, type ReactNode } from 'react';
import { type KeyOf, partsOf, type Text } from './text.js';
import type { Areas } from './areas.js';

/**
 * Renders a message with tags: for `See <link>the guide</link>.`, `values` has a function `link` that receives what
 * stands between the tags.
 */
export function rich<A extends keyof Areas>(
  text: Text<A>,
  key: KeyOf<A>,
  values: Readonly<Record<string, ReactNode | Date | ((children: ReactNode) => ReactNode)>>,
): ReactNode {
  const withElements = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (children: readonly ReactNode[]) => value(createElement(Fragment, null, ...children))
        : value,
    ]),
  );
  return createElement(Fragment, null, ...partsOf<A, ReactNode>(text.area, key, withElements as never));
}

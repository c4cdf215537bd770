import { createElement, Fragment, type ReactNode } from 'react';
import { type Area, type KeyOf, type NeededValues, partsOf, type Text } from './text.js';
import type { Tag } from './value.js';

/** Values of a message: a function for each tag, anything that React renders for each placeholder. */
type RichValues<Needed> = {
  readonly [Name in keyof Needed]: Needed[Name] extends Tag
    ? (children: ReactNode) => ReactNode
    : ReactNode | Date;
};

/**
 * Renders a message with tags: for `See <link>the guide</link>.`, `values` has a function `link` that receives what
 * is between the tags.
 */
export function rich<A extends Area, K extends KeyOf<A>>(
  text: Text<A>,
  key: K,
  values: RichValues<NeededValues<A, K>>,
): ReactNode {
  const withElements = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (children: readonly ReactNode[]) =>
            (value as (children: ReactNode) => ReactNode)(createElement(Fragment, null, ...children))
        : value,
    ]),
  );
  return createElement(Fragment, null, ...partsOf<ReactNode>(text.area, key, withElements as never));
}

import type { ComponentOverrides } from './component.js';

type Levels = ComponentOverrides['levels'];

/** What is wanted once these levels are: for good, or, with `until` (milliseconds since 1970), for a time alone. */
export function withLevels(
  overrides: ComponentOverrides,
  levels: Levels,
  until?: number,
): ComponentOverrides {
  const { goBack } = overrides;
  const next = { ...overrides, levels: { ...overrides.levels, ...levels } };
  // Twice for a time is once for a time: what comes after is what was there before the first.
  if (until !== undefined)
    return { ...next, goBack: { at: until, levels: goBack?.levels ?? overrides.levels } };
  return goBack ? { ...next, goBack: { ...goBack, levels: { ...goBack.levels, ...levels } } } : next;
}

/** The same as clients have it who send back what they read: a level that is in use already is none of their wishes. */
export function withSentLevels(overrides: ComponentOverrides, sent: Levels): ComponentOverrides {
  const changed = Object.entries(sent).filter(
    ([transport, level]) => level !== overrides.levels[transport as keyof Levels],
  );
  return withLevels(overrides, Object.fromEntries(changed));
}

/** What is wanted at a time, in milliseconds since 1970: levels whose time is over are no longer. */
export function afterLevels(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { goBack, ...kept } = overrides;
  return goBack && goBack.at <= now ? { ...kept, levels: goBack.levels } : overrides;
}

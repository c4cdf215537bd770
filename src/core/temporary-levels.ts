import type { ComponentOverrides } from './component.js';

type Levels = ComponentOverrides['levels'];

/** Returns the overrides with these levels: permanently, or until `until` (milliseconds since 1970). */
export function withLevels(
  overrides: ComponentOverrides,
  levels: Levels,
  until?: number,
): ComponentOverrides {
  const { goBack } = overrides;
  const next = { ...overrides, levels: { ...overrides.levels, ...levels } };
  // A second temporary change keeps the levels from before the first one as the levels to return to.
  if (until !== undefined)
    return { ...next, goBack: { at: until, levels: goBack?.levels ?? overrides.levels } };
  return goBack ? { ...next, goBack: { ...goBack, levels: { ...goBack.levels, ...levels } } } : next;
}

/**
 * Returns the same for clients that send back what they read: levels that are already in use are not treated
 * as changes.
 */
export function withSentLevels(overrides: ComponentOverrides, sent: Levels): ComponentOverrides {
  const changed = Object.entries(sent).filter(
    ([transport, level]) => level !== overrides.levels[transport as keyof Levels],
  );
  return withLevels(overrides, Object.fromEntries(changed));
}

/** Returns the overrides at a time, in milliseconds since 1970, without expired levels. */
export function afterLevels(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { goBack, ...kept } = overrides;
  return goBack && goBack.at <= now ? { ...kept, levels: goBack.levels } : overrides;
}

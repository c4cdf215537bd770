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
  // A second temporary change keeps the levels from before the first temporary change as the levels to
  // restore.
  if (until !== undefined)
    return { ...next, goBack: { at: until, levels: goBack?.levels ?? overrides.levels } };
  return goBack ? { ...next, goBack: { ...goBack, levels: { ...goBack.levels, ...levels } } } : next;
}

/**
 * Returns the overrides with the levels that a client sent. Ignores levels that are already in use, because
 * clients send back the levels that they have read.
 */
export function withSentLevels(overrides: ComponentOverrides, sent: Levels): ComponentOverrides {
  const changed = Object.entries(sent).filter(
    ([transport, level]) => level !== overrides.levels[transport as keyof Levels],
  );
  return withLevels(overrides, Object.fromEntries(changed));
}

/** Returns the overrides at a time, in milliseconds since 1970, without expired levels. */
export function afterLevels(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { goBack, ...permanent } = overrides;
  return goBack && goBack.at <= now ? { ...permanent, levels: goBack.levels } : overrides;
}

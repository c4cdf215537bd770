import type { Wish } from './component.js';

type Levels = Wish['levels'];

/** What is wanted once these levels are: for good, or, with `until` (milliseconds since 1970), for a time alone. */
export function withLevels(wish: Wish, levels: Levels, until?: number): Wish {
  const { goBack } = wish;
  const next = { ...wish, levels: { ...wish.levels, ...levels } };
  // Twice for a time is once for a time: what comes after is what was there before the first.
  if (until !== undefined) return { ...next, goBack: { at: until, levels: goBack?.levels ?? wish.levels } };
  return goBack ? { ...next, goBack: { ...goBack, levels: { ...goBack.levels, ...levels } } } : next;
}

/** The same as clients have it who send back what they read: a level that is in use already is none of their wishes. */
export function withSentLevels(wish: Wish, sent: Levels): Wish {
  const changed = Object.entries(sent).filter(
    ([transport, level]) => level !== wish.levels[transport as keyof Levels],
  );
  return withLevels(wish, Object.fromEntries(changed));
}

/** What is wanted at a time, in milliseconds since 1970: levels whose time is over are no longer. */
export function afterLevels(wish: Wish, now: number): Wish {
  const { goBack, ...kept } = wish;
  return goBack && goBack.at <= now ? { ...kept, levels: goBack.levels } : wish;
}

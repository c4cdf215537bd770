import type { Alignment } from './align-lists.js';

/** Target of an item: `source` is its index right before the step, in the list as changed so far. */
export interface ListStep {
  readonly to: number;
  /** Index in the original list; -1 for a new item. */
  readonly from: number;
  readonly source: number;
}

/**
 * The steps that turn one list into another: first removals, starting with the last one, then items from the
 * front.
 */
export interface ListSteps {
  readonly removed: readonly number[];
  readonly placed: readonly ListStep[];
}

/** Returns the steps for an alignment with a list of the given length. */
export function listSteps(length: number, alignment: Alignment): ListSteps {
  const kept = new Set(alignment);
  const all = Array.from({ length }, (_, at) => at);
  const removed = all.filter((at) => !kept.has(at)).reverse();
  const work = all.filter((at) => kept.has(at));
  const placed = alignment.map((from, to) => {
    if (from === -1) {
      work.splice(to, 0, -1);
      return { to, from, source: -1 };
    }
    const source = work.indexOf(from, to);
    if (source !== to) work.splice(to, 0, ...work.splice(source, 1));
    return { to, from, source };
  });
  return { removed, placed };
}

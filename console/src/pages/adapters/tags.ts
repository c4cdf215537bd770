import type { AdapterStatusView } from '../../api/observe.js';
import { hasProblem } from './status.js';

/** The adapters with one tag. */
interface TagGroup {
  readonly tag: string;
  readonly count: number;
  /** Number of these adapters with a problem. */
  readonly problems: number;
}

/** Returns the existing tags, those of the most adapters with problems first. An adapter counts for each of its tags. */
export function tagGroupsOf(adapters: readonly AdapterStatusView[]): readonly TagGroup[] {
  const groups = new Map<string, { count: number; problems: number }>();
  for (const adapter of adapters)
    for (const tag of adapter.tags) {
      const group = groups.get(tag) ?? { count: 0, problems: 0 };
      groups.set(tag, {
        count: group.count + 1,
        problems: group.problems + (hasProblem(adapter) ? 1 : 0),
      });
    }
  return [...groups]
    .map(([tag, group]) => ({ tag, ...group }))
    .sort((a, b) => b.problems - a.problems || b.count - a.count || a.tag.localeCompare(b.tag));
}

import type { AdapterInstance } from '../core/snapshot.js';

/** How the methods of an OpenAPI document changed, by name. */
export interface MethodChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

type Digests = NonNullable<AdapterInstance['methodDigests']>;

const NONE: Digests = new Map();

/** Compares the methods of two documents by their digests; undefined if they are the same. */
export function methodChanges(before: Digests = NONE, now: Digests = NONE): MethodChanges | undefined {
  const added = [...now.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !now.has(name));
  const changed = [...now].flatMap(([name, digest]) =>
    before.has(name) && before.get(name) !== digest ? [name] : [],
  );
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
}

/** Maximum number of names of each kind in a text. */
const MAX_NAMES = 5;

/** Returns changes as a text, for example `2 added (a, b); 1 removed (c)`. */
export function changesText({ added, removed, changed }: MethodChanges): string {
  return Object.entries({ added, removed, changed })
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => {
      const left = names.length - MAX_NAMES;
      const more = left > 0 ? ` and ${left} more` : '';
      return `${names.length} ${kind} (${names.slice(0, MAX_NAMES).join(', ')}${more})`;
    })
    .join('; ');
}

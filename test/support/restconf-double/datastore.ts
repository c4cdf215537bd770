import type { Clock } from '../../../src/core/lib/clock.js';
import { datastoreNode, initialData, interfaceEntries, interfaceState } from './interfaces.js';
import { type JsonObject, qualifiedName } from './model.js';
import { complete } from './values.js';

export const DATA = qualifiedName(datastoreNode);

/**
 * The unified datastore of RFC 8040 section 3.4, in memory. Its trees have one member, the datastore
 * resource.
 */
export interface Datastore {
  /** Returns a copy: configuration only, or with its state data. */
  read(what: 'config' | 'all'): JsonObject;
  /** Changes a copy of the configuration and applies it if it is complete; a throw changes nothing. */
  edit(change: (config: JsonObject) => void): void;
  /**
   * Marks an interface as restarted and returns the time in RFC 3339; `undefined` if the interface does not
   * exist.
   */
  restart(name: string): string | undefined;
  /** Entity tag of the configuration. */
  etag(): string;
  /** When the configuration was last changed, as an HTTP date. */
  lastModified(): string;
}

export function createDatastore(clock: Clock): Datastore {
  const booted = clock.now();
  const histories = new Map<string, { index: number; lastChange: number; enabled: unknown }>();
  let config: JsonObject = { [DATA]: initialData() };
  let version = 1;
  let modified = booted;

  function remember(): void {
    for (const { name, enabled } of interfaceEntries(config[DATA]).map(facts)) {
      const known = histories.get(name);
      if (known?.enabled === enabled) continue;
      histories.set(name, { index: known?.index ?? histories.size + 1, lastChange: clock.now(), enabled });
    }
  }

  function withState(): JsonObject {
    const tree = structuredClone(config);
    for (const entry of interfaceEntries(tree[DATA])) {
      const history = histories.get(facts(entry).name);
      if (history) Object.assign(entry, interfaceState(entry, { ...history, booted }));
    }
    return tree;
  }

  remember();
  return {
    read: (what) => (what === 'all' ? withState() : structuredClone(config)),
    edit(change) {
      const draft = structuredClone(config);
      change(draft);
      complete(datastoreNode, draft[DATA]);
      config = draft;
      version += 1;
      modified = clock.now();
      remember();
    },
    restart(name) {
      const exists = interfaceEntries(config[DATA]).some((entry) => entry['name'] === name);
      const history = histories.get(name);
      if (!exists || !history) return undefined;
      history.lastChange = clock.now();
      return new Date(history.lastChange).toISOString();
    },
    etag: () => `"${booted.toString(36)}-${version}"`,
    lastModified: () => new Date(modified).toUTCString(),
  };
}

function facts(entry: JsonObject): { name: string; enabled: unknown } {
  const { name, enabled } = entry;
  return { name: typeof name === 'string' ? name : '', enabled };
}

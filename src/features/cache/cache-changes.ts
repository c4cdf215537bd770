import type { PeerQuestions } from '../../core/cluster-events.js';
import type { Log } from '../../core/log.js';
import type { CacheChange } from '../../core/read-cache.js';
import { isJsonObject } from '../../json/json-object.js';
import { parseJson } from '../../json/strict-json.js';
import type { Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';

/** Where a change was made: in this process, in another process of this server, or at another node. */
type ChangeOrigin = 'process' | 'node';

/** Passes changes on to others. Resolves when they know the change; a rejection means that they may not. */
type SendChange = (change: CacheChange, origin: ChangeOrigin) => Promise<void>;

/** The changes that remove replies from caches, in this process and in others. */
export interface CacheChanges {
  /** Calls back with the path of each change of the adapter, from any process. The returned function ends this. */
  subscribe(adapter: string, onChange: (path: string | null) => void): () => void;
  /** Applies a change in this process, then passes it on. Never rejects. */
  report(change: CacheChange, origin?: ChangeOrigin): Promise<void>;
  /** Applies a change in this process only. */
  readonly apply: (change: CacheChange) => void;
  /** Adds a function that passes changes on; the returned function removes it. */
  addSender(send: SendChange): () => void;
}

/** Creates the changes of a process, without receivers. */
export function createCacheChanges(): CacheChanges {
  const listeners = new Map<string, Set<(path: string | null) => void>>();
  const senders = new Set<SendChange>();
  const apply = ({ adapter, path }: CacheChange): void => {
    const groups = adapter === null ? [...listeners.values()] : [listeners.get(adapter) ?? []];
    for (const group of groups) for (const onChange of group) onChange(path);
  };
  return {
    subscribe(adapter, onChange) {
      const group = listeners.get(adapter) ?? new Set();
      listeners.set(adapter, group.add(onChange));
      return () => {
        group.delete(onChange);
        if (group.size === 0 && listeners.get(adapter) === group) listeners.delete(adapter);
      };
    },
    async report(change, origin = 'process') {
      apply(change);
      await Promise.allSettled([...senders].map((send) => send(change, origin)));
    },
    apply,
    addSender(send) {
      senders.add(send);
      return () => senders.delete(send);
    },
  };
}

/** Maximum time that an action waits until the database has taken its announcement, in milliseconds. */
const ANNOUNCE_TIMEOUT_MS = 1_000;
/** Maximum length of a path in an announcement, in bytes of UTF-8. A longer one counts as a change everywhere. */
const MAX_PATH_BYTES = 1_500;

/**
 * Announces changes at orchestrators to the other nodes, and applies theirs. An announcement that was not sent leaves the
 * replies of other nodes in use until their freshness ends; after a loss of the connection to the database this node forgets all of its replies.
 * Returns the changes.
 */
export function announceCacheChanges(
  changes: CacheChanges,
  peers: PeerQuestions | undefined,
  { scheduler, log }: { readonly scheduler: Scheduler; readonly log: Log },
): CacheChanges {
  if (!peers) return changes;
  peers.onAnnouncement((text) => {
    const change = parseChange(text);
    if (change) void changes.report(change, 'node');
  });
  peers.onMissedAnnouncements(() => void changes.report({ adapter: null, path: null }, 'node'));
  changes.addSender(async ({ adapter, path }, origin) => {
    if (origin === 'node') return;
    const isLong = path !== null && Buffer.byteLength(path) > MAX_PATH_BYTES;
    const announced = peers
      .announce(JSON.stringify({ cacheChange: { adapter, path: isLong ? null : path } }))
      .catch((error: unknown) => {
        log.warn(
          'cache change not announced; other nodes use their replies until these are no longer fresh',
          {
            adapter,
            error,
          },
        );
      });
    await withTimeout(announced, { ms: ANNOUNCE_TIMEOUT_MS, scheduler, late: () => undefined });
  });
  return changes;
}

function parseChange(text: string): CacheChange | undefined {
  const parsed = parseJson(Buffer.from(text));
  const change = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value['cacheChange'] : undefined;
  if (!isJsonObject(change)) return undefined;
  const { adapter, path } = change;
  return typeof adapter === 'string' && (typeof path === 'string' || path === null)
    ? { adapter, path }
    : undefined;
}

import type { PeerQuestions } from '../../core/cluster-events.js';
import type { Log } from '../../core/log.js';
import type { CacheChange } from '../../core/read-cache.js';
import type { CacheChanges } from '../../features/cache/cache-changes.js';
import { isJsonObject } from '../../json/json-object.js';
import { parseJson } from '../../json/strict-json.js';
import type { Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';

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

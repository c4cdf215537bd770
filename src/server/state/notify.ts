import { changesText, methodChanges } from '../../adapters/method-changes.js';
import type { LogLevels } from '../../core/log-levels.js';
import type { Log } from '../../core/log.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { DeadlineWatch } from './deadline-watch.js';
import type { ReloadCause } from './load.js';
import { logLevelsOf } from './log-levels.js';
import { ownersOf, staleOwners } from './owners.js';
import type { ReloadCounter } from './reload-metrics.js';
import type { ActiveSnapshot } from './snapshot.js';

/** What follows the live snapshot. */
export interface NotifyDeps {
  readonly setLevels: (levels: LogLevels) => void;
  readonly secrets: Pick<SecretSource, 'watch'>;
  readonly deadlines: Pick<DeadlineWatch, 'watch'>;
  readonly counter: ReloadCounter;
  readonly log: Log;
}

/** Makes log levels, the watch of secrets and the deadlines follow a snapshot. */
export function followSnapshot(
  snapshot: ActiveSnapshot,
  { secrets, setLevels, deadlines }: NotifyDeps,
  unrenewed?: ReadonlySet<string>,
): void {
  secrets.watch(ownersOf(snapshot), unrenewed && staleOwners(snapshot, unrenewed));
  setLevels(logLevelsOf(snapshot));
  deadlines.watch(snapshot.desired.state);
}

/** A swap of snapshots. */
interface Swap {
  readonly previous: ActiveSnapshot;
  readonly next: ActiveSnapshot;
  readonly cause: ReloadCause;
  /** Names of the sections whose renewal is pending or failed. */
  readonly unrenewed: ReadonlySet<string>;
}

/** Makes everything follow a snapshot that has just become live, and logs and counts what changed. */
export function notify({ previous, next, cause, unrenewed }: Swap, deps: NotifyDeps): void {
  followSnapshot(next, deps, unrenewed);
  const { counter, log } = deps;
  const { generation, adapters, outdated } = next;
  const changed = changesBetween(previous, next);
  logMethodChanges(previous, next, log);
  const fields = { generation, adapters: adapters.size, changed };
  if (cause === 'files') log.info('configuration is live', fields);
  // A change may affect no part of the server, for example the log level of an application.
  else if (cause === 'records')
    log[changed.length > 0 ? 'info' : 'debug']('changes of the API are live', fields);
  else {
    counter.countSecrets(changed, 'live');
    counter.countSecrets(
      [...cause].filter((name) => outdated.has(name)),
      'failed',
    );
    if (changed.length > 0) log.info('rotated secrets are live', { generation, changed });
  }
}

/** Returns the ids of adapters that were rebuilt, added or removed. */
function changesBetween(previous: Snapshot, next: Snapshot): readonly string[] {
  const ids = new Set([...previous.adapters.keys(), ...next.adapters.keys()]);
  return [...ids].filter((id) => previous.adapters.get(id) !== next.adapters.get(id));
}

/** Logs which methods of the OpenAPI documents of adapters were added, removed or changed. */
function logMethodChanges(previous: Snapshot, next: Snapshot, log: Log): void {
  for (const [adapter, { methodDigests }] of next.adapters) {
    const before = previous.adapters.get(adapter);
    const changes = before && methodChanges(before.methodDigests, methodDigests);
    if (changes) log.info('methods of the adapter changed', { adapter, changes: changesText(changes) });
  }
}

import { systemScheduler as clock } from '../domain/clock.js';
import { ConfigError } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import type { LogLevels } from '../domain/log-levels.js';
import type { Redactor } from '../domain/redactor.js';
import { buildSnapshot } from '../runtime/build-snapshot.js';
import { SnapshotHolder } from '../runtime/current.js';
import type { DesireDeps } from '../runtime/desire-adapter.js';
import { enabledSections } from '../runtime/desired.js';
import type { ActiveSnapshot } from '../runtime/live-snapshot.js';
import { logLevelsOf } from '../runtime/log-levels.js';
import { redactedSecrets } from '../runtime/masked-secrets.js';
import { resolvePieces } from '../runtime/resolve-pieces.js';
import type { AdapterFactories } from '../runtime/rooms.js';
import { type PackedConfiguration, unpackConfiguration } from './configuration.js';

interface SnapshotDeps extends DesireDeps {
  readonly rooms: AdapterFactories;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly setLevels: (levels: LogLevels) => void;
}

/** The snapshots of a call worker, each made of what the main process made its own of. */
export interface WorkerSnapshots {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  /** Makes a configuration live, after those that came before it. Rejects when it cannot. */
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  /** Ends the starts of adapters that it waits for, and closes the live one when its last call has ended. */
  readonly close: () => Promise<void>;
}

/** Opens the first one. Throws a ConfigError. */
export async function openWorkerSnapshots(
  first: PackedConfiguration,
  deps: SnapshotDeps,
): Promise<WorkerSnapshots> {
  const stopping = new AbortController();
  const build = async (packed: PackedConfiguration, previous?: ActiveSnapshot): Promise<ActiveSnapshot> => {
    const { desired, source } = await unpackConfiguration(packed, deps);
    const secrets = redactedSecrets(source, deps.redactor);
    try {
      const resolved = await resolvePieces(enabledSections(desired), secrets);
      const { generation } = packed;
      const input = { ...deps, desired, resolved, generation, clock, stopping: stopping.signal };
      const built = await buildSnapshot({ ...input, ...(previous && { previous }) });
      if ('faults' in built) throw new ConfigError(built.faults);
      deps.setLevels(logLevelsOf(built.snapshot));
      return built.snapshot;
    } finally {
      await secrets.close();
    }
  };
  const current = new SnapshotHolder(await build(first));
  let turn = Promise.resolve();
  return {
    current,
    applySnapshot(configuration) {
      const mine = turn.then(async () => {
        const next = await build(configuration, current.current());
        current.swap(next).catch((error: unknown) => {
          deps.log.error('closing the former configuration failed', { error });
        });
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      stopping.abort();
      await current.close();
    },
  };
}

import { systemScheduler as clock } from '../domain/clock.js';
import { ConfigError } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import type { LogLevels } from '../domain/log-levels.js';
import type { Redactor } from '../domain/redactor.js';
import { buildSnapshot } from '../runtime/build-snapshot.js';
import { Current } from '../runtime/current.js';
import type { DesireDeps } from '../runtime/desire-adapter.js';
import { enabledPieces } from '../runtime/desired.js';
import type { LiveSnapshot } from '../runtime/live-snapshot.js';
import { logLevelsOf } from '../runtime/log-levels.js';
import { maskedSecrets } from '../runtime/masked-secrets.js';
import { resolvePieces } from '../runtime/resolve-pieces.js';
import type { Rooms } from '../runtime/rooms.js';
import { type PackedConfiguration, unpackConfiguration } from './configuration.js';

interface SnapshotDeps extends DesireDeps {
  readonly rooms: Rooms;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly setLevels: (levels: LogLevels) => void;
}

/** The snapshots of a call worker, each made of what the main process made its own of. */
export interface WorkerSnapshots {
  readonly current: Current<LiveSnapshot>;
  /** Makes a configuration live, after those that came before it. Rejects when it cannot. */
  readonly takeUp: (configuration: PackedConfiguration) => Promise<void>;
  /** Ends the starts of adapters that it waits for, and closes the live one when its last call has ended. */
  readonly close: () => Promise<void>;
}

/** Opens the first one. Throws a ConfigError. */
export async function openWorkerSnapshots(
  first: PackedConfiguration,
  deps: SnapshotDeps,
): Promise<WorkerSnapshots> {
  const stopping = new AbortController();
  const build = async (packed: PackedConfiguration, former?: LiveSnapshot): Promise<LiveSnapshot> => {
    const { desired, source } = await unpackConfiguration(packed, deps);
    const secrets = maskedSecrets(source, deps.redactor);
    try {
      const resolved = await resolvePieces(enabledPieces(desired), secrets);
      const { generation } = packed;
      const input = { ...deps, desired, resolved, generation, clock, stopping: stopping.signal };
      const built = await buildSnapshot({ ...input, ...(former && { former }) });
      if ('faults' in built) throw new ConfigError(built.faults);
      deps.setLevels(logLevelsOf(built.snapshot));
      return built.snapshot;
    } finally {
      await secrets.close();
    }
  };
  const current = new Current(await build(first));
  let turn = Promise.resolve();
  return {
    current,
    takeUp(configuration) {
      const mine = turn.then(async () => {
        const next = await build(configuration, current.peek());
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

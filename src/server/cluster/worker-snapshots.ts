import { setMaxListeners } from 'node:events';
import { ConfigError } from '../../core/fault.js';
import type { LogLevels } from '../../core/log-levels.js';
import type { Log } from '../../core/log.js';
import type { Redactor } from '../../core/secret.js';
import { systemScheduler as clock } from '../../lib/clock.js';
import { buildSnapshot } from '../state/build.js';
import type { CheckDeps } from '../state/check-adapter.js';
import { enabledSections } from '../state/configuration.js';
import type { AdapterFactories } from '../state/factories.js';
import { logLevelsOf } from '../state/log-levels.js';
import { planSnapshot } from '../state/plan.js';
import { redactedSecrets, resolveSections } from '../state/resolve.js';
import type { ActiveSnapshot } from '../state/snapshot.js';
import { SnapshotHolder, swap } from '../state/swap.js';
import { type PackedConfiguration, unpackConfiguration } from './configuration.js';

interface SnapshotDeps extends CheckDeps {
  readonly factories: AdapterFactories;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly setLevels: (levels: LogLevels) => void;
}

/** The snapshots of a call worker. Each is built from the input of a snapshot of the main process. */
interface WorkerSnapshots {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  /** Activates a configuration after all earlier ones. Rejects if that fails. */
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  /** Cancels pending starts of adapters, and closes the live snapshot when its last call has ended. */
  readonly close: () => Promise<void>;
}

/** Opens the first snapshot. Throws a ConfigError. */
export async function openWorkerSnapshots(
  first: PackedConfiguration,
  deps: SnapshotDeps,
): Promise<WorkerSnapshots> {
  const stopping = new AbortController();
  // Each adapter that starts listens; Node.js warns of more than ten listeners.
  setMaxListeners(0, stopping.signal);
  const build = async (packed: PackedConfiguration, previous?: ActiveSnapshot): Promise<ActiveSnapshot> => {
    const { desired, source } = await unpackConfiguration(packed, deps);
    const secrets = redactedSecrets(source, deps.redactor);
    try {
      const resolved = await resolveSections(enabledSections(desired), secrets);
      const { generation, kept } = packed;
      const sections = [desired.main, ...desired.adapters].map(({ name }) => name);
      const only = new Set(sections.filter((name) => !kept.includes(name)));
      const plan = await planSnapshot(previous, { desired, resolved, generation, only });
      const built = await buildSnapshot(previous, plan, { ...deps, clock, stopping: stopping.signal });
      if ('faults' in built) throw new ConfigError(built.faults);
      deps.setLevels(logLevelsOf(built.snapshot));
      return built.snapshot;
    } finally {
      await secrets.close();
    }
  };
  const current = new SnapshotHolder(await build(first));
  let queue = Promise.resolve();
  return {
    current,
    applySnapshot(configuration) {
      const applied = queue.then(async () => {
        current.current().main.value.verifier.refreshKeys();
        const next = await build(configuration, current.current());
        swap(current, next, deps.log);
      });
      queue = applied.catch(() => undefined);
      return applied;
    },
    async close() {
      stopping.abort();
      await current.close();
    },
  };
}

import { availableParallelism } from 'node:os';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { ServerSettings } from '../../core/settings.js';
import type { ConfigReloader } from '../reload/config-reloader.js';
import type { AdapterFactories } from '../../adapters/factories.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { rememberResolved, type ResolvedLast } from './configuration.js';
import { shareOf } from './concurrency-share.js';
import { createWorkerRegistry, type WorkerRegistry } from './worker-registry.js';
import { createAdapterStats, type AdapterStats } from './adapter-stats.js';

/** What the main process does otherwise from its start on when there are to be workers. */
export interface WorkerMode {
  /** Workers; none where one process serves alone. */
  readonly count: number;
  /** Among which the places of adapters are divided: the workers, and the main process. */
  readonly processes: number;
  readonly resolved: ResolvedLast;
  readonly adapterStats: AdapterStats;
  readonly registry: WorkerRegistry;
  readonly changes: ChangePropagation;
  /** The same source, whose values workers will be told. */
  readonly secrets: SecretSource;
  /** Rooms whose adapters have a part of their places, and tell of all processes together. */
  readonly factories: (factories: AdapterFactories) => AdapterFactories;
  /** A trail that tells workers when it lost a record. */
  readonly audit: (audit: AuditTrail) => AuditTrail;
  /** A change is done when the workers have taken it up. */
  readonly reloader: <T extends Pick<ConfigReloader, 'reload' | 'applyRecords'>>(reloader: T) => T;
}

/** Makes the basis for as many workers as the settings ask for; without any, all stays as it is. */
export function createWorkerMode(
  { workers }: Pick<ServerSettings, 'workers'>,
  source: SecretSource,
): WorkerMode {
  const wanted = workers === 'auto' ? availableParallelism() : workers;
  return wanted > 1 ? multiProcessMode(wanted, source) : singleProcessMode(source);
}

function singleProcessMode(secrets: SecretSource): WorkerMode {
  const same = <T>(value: T): T => value;
  const resolved = { ...secrets, valuesOf: () => [], keepOnly: () => undefined };
  const parts = {
    resolved,
    adapterStats: createAdapterStats(),
    registry: createWorkerRegistry(0),
    changes: createChangePropagation(),
  };
  return { count: 0, processes: 1, ...parts, secrets, factories: same, audit: same, reloader: same };
}

function multiProcessMode(count: number, source: SecretSource): WorkerMode {
  const processes = count + 1;
  const resolved = rememberResolved(source);
  const adapterStats = createAdapterStats();
  const changes = createChangePropagation();
  const heard = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    await changes.whenPropagated();
    return done;
  };
  return {
    count,
    processes,
    resolved,
    adapterStats,
    changes,
    registry: createWorkerRegistry(count),
    secrets: { ...source, resolve: resolved.resolve },
    factories: (factories) => ({
      ...factories,
      openUpstream: (settings, log) => factories.openUpstream(shareOf(settings, processes), log),
      overall: adapterStats.overall,
    }),
    audit: (audit) => ({
      ...audit,
      append: async (record) => {
        try {
          await audit.append(record);
        } catch (error) {
          changes.doubt();
          throw error;
        }
      },
    }),
    reloader: (reloader) => ({
      ...reloader,
      reload: () => heard(reloader.reload()),
      applyRecords: () => heard(reloader.applyRecords()),
    }),
  };
}

/** What workers are told of, from the moment that it happens to the moment that all of them know. */
interface ChangePropagation {
  /** Notes that the workers are being told something. */
  readonly follow: (telling: Promise<void>) => void;
  /** Resolves when they know all that has happened so far. */
  readonly whenPropagated: () => Promise<void>;
  /** Says that a record of the audit trail was lost. */
  readonly doubt: () => void;
  /** Has a listener told of it; the result calls it off. */
  readonly onDoubt: (listener: () => void) => () => void;
}

/** Makes a desk for news at which nothing is under way. */
function createChangePropagation(): ChangePropagation {
  const telling = new Set<Promise<void>>();
  const listeners = new Set<() => void>();
  return {
    follow(one) {
      telling.add(one);
      void one.finally(() => telling.delete(one));
    },
    async whenPropagated() {
      await Promise.all(telling);
    },
    doubt() {
      for (const tell of listeners) tell();
    },
    onDoubt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import { availableParallelism } from 'node:os';
import type { AuditTrail } from '../../core/audit-trail.js';
import { type CacheChanges, createCacheChanges } from '../../features/cache/cache-changes.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ServerSettings } from '../../settings/settings.js';
import type { ConfigReloader } from '../state/config-reloader.js';
import type { AdapterFactories } from '../state/factories.js';
import { cacheResolutions, type ResolutionCache } from './configuration.js';
import { shareOf } from './worker-factories.js';
import { createWorkerRegistry, type WorkerRegistry } from './worker-registry.js';
import { createAdapterStats, type AdapterStats } from './worker-stats.js';

/** The parts of the main process that differ between a single process and several call workers. */
export interface WorkerMode {
  /** Number of workers; 0 if a single process serves. */
  readonly count: number;
  /** Number of processes that share the limits of each adapter: the workers and the main process. */
  readonly processes: number;
  readonly resolved: ResolutionCache;
  readonly adapterStats: AdapterStats;
  readonly registry: WorkerRegistry;
  readonly changes: ChangePropagation;
  /** Changes at orchestrators, which remove replies from the caches of all processes. */
  readonly cacheChanges: CacheChanges;
  /** The secret source, which also caches the values that workers need. */
  readonly secrets: SecretSource;
  /** Returns factories whose adapters have a share of their limits, and report the state in all processes. */
  readonly factories: (factories: AdapterFactories) => AdapterFactories;
  /** Returns an audit trail that notifies the workers when it lost a record. */
  readonly audit: <T extends AuditTrail>(audit: T) => T;
  /** Returns a reloader whose changes resolve when all workers have applied them. */
  readonly reloader: <T extends Pick<ConfigReloader, 'reload' | 'applyRecords'>>(reloader: T) => T;
}

/** Creates the mode for the number of workers in the settings. Without workers, every part is returned unchanged. */
export function createWorkerMode({ workers }: ServerSettings, source: SecretSource): WorkerMode {
  const count = workers === 'auto' ? availableParallelism() : workers;
  return count > 1 ? multiProcessMode(count, source) : singleProcessMode(source);
}

function singleProcessMode(secrets: SecretSource): WorkerMode {
  const same = <T>(value: T): T => value;
  const resolved = { ...secrets, valuesOf: () => [], keepOnly: () => undefined };
  const parts = {
    resolved,
    adapterStats: createAdapterStats(),
    registry: createWorkerRegistry(0),
    changes: createChangePropagation(),
    cacheChanges: createCacheChanges(),
  };
  return { count: 0, processes: 1, ...parts, secrets, factories: same, audit: same, reloader: same };
}

function multiProcessMode(count: number, source: SecretSource): WorkerMode {
  const processes = count + 1;
  const resolved = cacheResolutions(source);
  const adapterStats = createAdapterStats();
  const changes = createChangePropagation();
  const afterPropagation = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await changes.whenPropagated();
    return result;
  };
  return {
    count,
    processes,
    resolved,
    adapterStats,
    changes,
    cacheChanges: createCacheChanges(),
    registry: createWorkerRegistry(count),
    secrets: { ...source, resolve: resolved.resolve },
    factories: (factories) => ({
      ...factories,
      openUpstream: (settings, ...rest) => factories.openUpstream(shareOf(settings, processes), ...rest),
      overall: adapterStats.overall,
    }),
    audit: (audit) => ({
      ...audit,
      append: async (record, reserved) => {
        try {
          await audit.append(record, reserved);
          // A record on a full disk used its room, so that workers must ask before they use the same room again.
          if (audit.writable() !== true) changes.reportLostRecord();
        } catch (error) {
          changes.reportLostRecord();
          throw error;
        }
      },
      appendOrKeep: async (record) => {
        const isStored = await audit.appendOrKeep(record);
        if (!isStored) changes.reportLostRecord();
        return isStored;
      },
    }),
    reloader: (reloader) => ({
      ...reloader,
      reload: () => afterPropagation(reloader.reload()),
      applyRecords: () => afterPropagation(reloader.applyRecords()),
    }),
  };
}

/** The changes that are being sent to the workers. */
interface ChangePropagation {
  /** Adds a change; its promise resolves when the workers have applied it. */
  readonly track: (change: Promise<void>) => void;
  /** Resolves when the workers have applied every change so far. */
  readonly whenPropagated: () => Promise<void>;
  /** Reports that the audit trail lost a record. */
  readonly reportLostRecord: () => void;
  /** Calls the listener for each lost record. The returned function removes the listener. */
  readonly onLostRecord: (listener: () => void) => () => void;
}

/** Creates a propagation without pending changes. */
function createChangePropagation(): ChangePropagation {
  const pending = new Set<Promise<void>>();
  const listeners = new Set<() => void>();
  return {
    track(change) {
      pending.add(change);
      void change.finally(() => pending.delete(change));
    },
    async whenPropagated() {
      await Promise.all(pending);
    },
    reportLostRecord() {
      for (const notify of listeners) notify();
    },
    onLostRecord(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

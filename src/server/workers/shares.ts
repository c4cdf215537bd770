import { availableParallelism } from 'node:os';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { ServerSettings } from '../../settings/settings.js';

/** Returns the number of processes that serve. */
export function processesOf({ workers }: ServerSettings): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/** Returns the settings of one of several processes, which has its share of the connections and calls. */
export function shareOfServer(server: ServerSettings, processes: number): ServerSettings {
  const { limits, overload } = server;
  const share = (limit: number): number => Math.ceil(limit / processes);
  return {
    ...server,
    limits: {
      ...limits,
      connections: share(limits.connections),
      connectionsPerAddress: limits.connectionsPerAddress && share(limits.connectionsPerAddress),
    },
    overload: overload && { ...overload, calls: share(overload.calls) },
  };
}

/**
 * Returns the settings of an adapter with a share of its limits, so that all processes together do not exceed the limits of the
 * operator. Each process sends at least one call at a time.
 */
export function shareOfAdapter(settings: AdapterSettings, processes: number): AdapterSettings {
  const { queue } = settings;
  const concurrent = Math.max(1, Math.floor(queue.concurrent / processes));
  return { ...settings, queue: { ...queue, concurrent, waiting: Math.floor(queue.waiting / processes) } };
}

/**
 * Returns the number of adapters that may start at the same time in one of the processes, if their start takes processor time.
 */
export function adapterStartsOf({ adapterStarts }: ServerSettings, processes: number): number {
  const starts = adapterStarts === 'auto' ? availableParallelism() : adapterStarts;
  return Math.max(1, Math.floor(starts / processes));
}

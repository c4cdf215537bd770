import type { Adapter } from '../core/adapter.js';
import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import type { AdapterInstance, AdapterState } from '../core/snapshot.js';
import type { Upstream } from '../core/upstream.js';
import { noteConnection } from './connection-state.js';
import { ownConnection } from './plugin-transport.js';
import { createStarter, type Starter } from './starter.js';
import type { StartTurn } from './start-turn.js';
import { runWithTimeout } from './run-within.js';
import { createBackoff } from '../core/lib/backoff.js';

/** Time limit of a stop, and of the end of a start before it, in milliseconds. */
const STOP_TIMEOUT_MS = 5_000;
/** Time limit of a probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 15_000;

interface AdapterParts {
  readonly id: string;
  readonly type: string;
  readonly adapter: Adapter;
  readonly upstream: Upstream;
  readonly health: AdapterSettings['health'];
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** Time limit of the start, and its waits for a slot. */
  readonly startTurn: StartTurn;
}

/**
 * Creates an adapter that serves after its start has succeeded. Until then every call tries the start again.
 */
export function createInstance(parts: AdapterParts): AdapterInstance {
  const { id, type, adapter, health, log, scheduler } = parts;
  const pluginConnection = ownConnection(adapter);
  const { state: connection, upstream } = pluginConnection
    ? { state: pluginConnection, upstream: parts.upstream }
    : noteConnection(parts.upstream, scheduler, log);
  const closing = new AbortController();
  const starter = createStarter({
    id,
    log,
    scheduler,
    turn: parts.startTurn,
    closing: closing.signal,
    start: adapter.start?.bind(adapter),
  });
  const ask = upstream.probe?.bind(upstream);
  const probe = ask && (() => runWithTimeout(PROBE_TIMEOUT_MS, ask, closing.signal));
  const healthProbe = createHealthProbe({ starter, health, probe, scheduler });
  const work = { adapter, upstream };
  let endState: 'STOPPING' | 'STOPPED' | undefined;
  return {
    id,
    type,
    state() {
      if (endState) return { name: endState };
      if (starter.started()) return { name: 'RUNNING' };
      const reason = starter.reason();
      return { name: 'STARTING', ...(reason !== undefined && { reason }) };
    },
    since: () => (endState ? undefined : starter.startedAt()),
    connection,
    ...(upstream.status && { upstreamStatus: upstream.status }),
    ...(upstream.certificates && { certificates: upstream.certificates }),
    open: healthProbe.open,
    async ready() {
      await starter.startForCall();
      return work;
    },
    async close() {
      healthProbe.close();
      endState = 'STOPPING';
      closing.abort();
      // Waits for a running start, because whatever it opens after the stop would never be closed.
      await runWithTimeout(STOP_TIMEOUT_MS, () => starter.settled()).catch(() => undefined);
      try {
        if (adapter.stop) await runWithTimeout(STOP_TIMEOUT_MS, adapter.stop.bind(adapter));
      } catch (error) {
        log.warn('the plugin failed to stop its adapter', { error });
      } finally {
        await upstream.close();
        endState = 'STOPPED';
      }
    },
  };
}

/** Creates an adapter that does not serve; every call is rejected with the reason. */
export function createIdleInstance(id: string, type: string, state: AdapterState): AdapterInstance {
  return {
    id,
    type,
    state: () => state,
    since: () => undefined,
    connection: () => ({ state: 'UNKNOWN', since: 0 }),
    open: () => Promise.reject(notRunningProblem(id, state)),
    ready: () => Promise.reject(notRunningProblem(id, state)),
    close: () => Promise.resolve(),
  };
}

function notRunningProblem(id: string, state: AdapterState): Problem {
  if (state.name !== 'DEAD') return new Problem('adapter_unavailable', `the adapter "${id}" is stopped`);
  const code = state.cause === 'secret' ? 'adapter_secret_unavailable' : 'adapter_unavailable';
  return new Problem(code, `the adapter "${id}" is dead: ${state.reason}`);
}

/** Start and probes of an adapter in the background. */
interface HealthProbe {
  /**
   * Starts the adapter and probes it, and repeats both in the background from then on. Throws the Problem
   * that prevents the adapter from serving.
   */
  readonly open: () => Promise<void>;
  close(): void;
}

interface HealthProbeOptions {
  readonly starter: Starter;
  readonly health: AdapterSettings['health'];
  /** Absent if there is nothing to probe. */
  readonly probe: (() => Promise<unknown>) | undefined;
  readonly scheduler: Scheduler;
}

/** Delays between attempts to start an adapter. */
const START_BACKOFF = { firstMs: 5_000, maxMs: 60_000 };

/**
 * Creates the health probe. It retries the start of an adapter until it succeeds, and probes the orchestrator
 * as `health` requires: `startup` until the first answer, `intermittent` permanently.
 */
function createHealthProbe({ starter, health, probe, scheduler }: HealthProbeOptions): HealthProbe {
  const requiredProbe = health.type === 'none' ? undefined : probe;
  const backoff = createBackoff(START_BACKOFF);
  let closed = false;
  let cancel = (): void => undefined;
  const pauseAfter = (succeeded: boolean): number | undefined => {
    const usual = requiredProbe && health.type === 'intermittent' ? health.intervalSeconds * 1000 : undefined;
    if (succeeded) {
      backoff.reset();
      return usual;
    }
    return Math.min(backoff.next(), usual ?? Infinity);
  };
  async function runProbe(): Promise<void> {
    let succeeded = false;
    try {
      await starter.start();
      await requiredProbe?.();
      succeeded = true;
    } finally {
      const pause = pauseAfter(succeeded);
      if (!closed && pause !== undefined)
        cancel = scheduler.after(pause, () => void runProbe().catch(() => undefined));
    }
  }
  return {
    open: runProbe,
    close() {
      closed = true;
      cancel();
    },
  };
}

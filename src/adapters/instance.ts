import type { Adapter, Connection } from '../core/adapter.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { AdapterInstance, AdapterState, SessionProof } from '../core/snapshot.js';
import type { Upstream } from '../core/upstream.js';
import { createBackoff } from '../lib/backoff.js';
import { type Scheduler, elapsedSince } from '../lib/clock.js';
import type { Semaphore } from '../lib/semaphore.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { noteConnection } from './connection-state.js';
import { ownConnection } from './plugin-transport.js';
import { runWithTimeout } from './run-within.js';
import type { StartTurn } from './start-turn.js';
import { createStarter, type Starter } from './starter.js';

/** Time limit of a stop, and of the end of a start before it, in milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

interface AdapterParts {
  readonly id: string;
  readonly type: string;
  readonly adapter: Adapter;
  readonly upstream: Upstream;
  /** Digest of the target, see `AdapterInstance`. */
  readonly target?: string;
  /** Adds methods to the upstream that records the connection; absent: the methods are those of the plugin. */
  readonly connectMethods?: ((adapter: Adapter, upstream: Upstream) => Upstream) | undefined;
  /** Digests of these methods, by name. */
  readonly methodDigests?: ReadonlyMap<string, string> | undefined;
  readonly health: AdapterSettings['health'];
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** Time limit of the start, and its waits for a slot. */
  readonly startTurn: StartTurn;
  /** Limits the probes of all adapters that run at the same time; absent: no limit. */
  readonly probeSlots?: Semaphore;
  /** Returns a number from 0 up to 1; absent: probes have no jitter. */
  readonly random?: () => number;
  /** Tries the credentials with the upstream of the instance; absent: they cannot be tried. */
  readonly prove?: (
    upstream: Upstream,
    signal: AbortSignal,
    onRefusal?: (problem: Problem) => void,
  ) => Promise<SessionProof>;
}

/**
 * Creates an adapter that serves after its start has succeeded. Until then every call tries the start again.
 */
export function createInstance(parts: AdapterParts): AdapterInstance {
  const { id, type, adapter, health, log, scheduler } = parts;
  const pluginConnection = ownConnection(adapter);
  const notes = pluginConnection
    ? { state: pluginConnection, upstream: parts.upstream }
    : noteConnection(parts.upstream, scheduler, log);
  const { state: connection, upstream } = notes;
  const closing = new AbortController();
  const starter = createStarter({
    id,
    log,
    scheduler,
    turn: parts.startTurn,
    closing: closing.signal,
    start: adapter.start?.bind(adapter),
  });
  const { probeSlots: slots, random } = parts;
  const options = { starter, health, upstream, connection, slots, scheduler, random };
  const healthProbe = createHealthProbe({ ...options, closing: closing.signal });
  const work = { adapter, upstream: parts.connectMethods?.(adapter, upstream) ?? upstream };
  const started = Promise.resolve(work);
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
    ...(parts.target !== undefined && { target: parts.target }),
    ...(parts.methodDigests && { methodDigests: parts.methodDigests }),
    ...(upstream.status && { upstreamStatus: upstream.status }),
    ...(upstream.certificates && { certificates: upstream.certificates }),
    open: healthProbe.open,
    ...(healthProbe.test && { testConnection: healthProbe.test }),
    ...(parts.prove && { prove: proofOf(parts.prove, notes, closing.signal) }),
    ready: () => (starter.started() ? started : starter.startForCall().then(() => work)),
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

/** Creates the function that tries the credentials, and notes a refusal as the state of the connection. */
function proofOf(
  prove: NonNullable<AdapterParts['prove']>,
  {
    upstream,
    noteRefusal,
  }: { readonly upstream: Upstream; readonly noteRefusal?: (problem: Problem) => void },
  closing: AbortSignal,
): NonNullable<AdapterInstance['prove']> {
  return async () => {
    const proof = await prove(upstream, closing, noteRefusal);
    return closing.aborted ? undefined : proof;
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
   * that prevents the adapter from serving. Returns `undefined` if the adapter needs neither before it serves.
   */
  readonly open: () => Promise<void> | undefined;
  /**
   * Starts the adapter if it has not started, and probes it now. Throws the Problem of the start or of the probe. Absent
   * if there is nothing to probe.
   */
  readonly test?: () => Promise<void>;
  close(): void;
}

export interface HealthProbeOptions {
  readonly starter: Starter;
  readonly health: AdapterSettings['health'];
  readonly upstream: Pick<Upstream, 'probe' | 'checkConnection'>;
  /** Fires when the adapter is closed; ends a probe. */
  readonly closing: AbortSignal;
  /** Returns the state of the connection: no probe is necessary if a call has succeeded within the interval. */
  readonly connection: () => Connection;
  /** Limits the probes of all adapters that run at the same time. */
  readonly slots?: Semaphore | undefined;
  readonly scheduler: Scheduler;
  /** Returns a number from 0 up to 1; absent: the interval has no jitter. */
  readonly random?: (() => number) | undefined;
}

/** Time limit of a probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 15_000;
/** Delays between attempts to start an adapter, and between probes of an orchestrator that is not reachable. */
const RETRY_BACKOFF = { firstMs: 5_000, maxMs: 60_000 };
/** Share of the interval by which probes are earlier or later, so that thousands of adapters do not probe together. */
const JITTER = 0.1;

/**
 * Creates the health probe. It retries the start of an adapter until it succeeds, and probes the orchestrator
 * as `health` requires: `startup` until the first answer, `intermittent` permanently. Without a health path, the
 * periodic probe only opens a connection, and the start does not wait for it.
 */
export function createHealthProbe(options: HealthProbeOptions): HealthProbe {
  const { starter, health, upstream, connection, slots, scheduler } = options;
  const withinTime = (work: ((signal: AbortSignal) => Promise<unknown>) | undefined) =>
    work && (() => runWithTimeout(PROBE_TIMEOUT_MS, work, options.closing));
  const probe = withinTime(upstream.probe?.bind(upstream));
  const checkConnection = withinTime(upstream.checkConnection?.bind(upstream));
  const test = probe ?? checkConnection;
  const { intervalSeconds } = health;
  const isOff = health.type === 'none' || intervalSeconds === 0;
  const requiredProbe = isOff ? undefined : probe;
  const periodicProbe = isOff || health.type !== 'intermittent' ? undefined : (probe ?? checkConnection);
  const intervalMs = periodicProbe && intervalSeconds * 1000;
  const backoff = createBackoff(RETRY_BACKOFF);
  let closed = false;
  let cancel = (): void => undefined;
  const pauseAfter = (succeeded: boolean): number | undefined => {
    if (!succeeded) return Math.min(backoff.next(), intervalMs ?? Infinity);
    backoff.reset();
    return intervalMs === undefined ? undefined : withJitter(intervalMs, options.random);
  };
  async function run(work: () => Promise<unknown>): Promise<void> {
    let succeeded = false;
    try {
      await starter.start();
      await work();
      succeeded = true;
    } finally {
      scheduleNext(succeeded);
    }
  }
  function scheduleNext(succeeded: boolean): void {
    const pause = pauseAfter(succeeded);
    if (!closed && pause !== undefined)
      cancel = scheduler.after(pause, () => void run(probeInTurn).catch(() => undefined));
  }
  async function probeInTurn(): Promise<void> {
    const work = periodicProbe ?? requiredProbe;
    if (!work || hasRecentCall(connection(), intervalMs ?? 0, scheduler)) return;
    const unlessClosed = async (): Promise<unknown> => (closed ? undefined : work());
    await (slots ? slots.run(unlessClosed) : unlessClosed());
  }
  return {
    open() {
      if (requiredProbe || !starter.started()) return run(async () => requiredProbe?.());
      scheduleNext(true);
      return undefined;
    },
    ...(test && {
      async test() {
        await starter.start();
        await test();
      },
    }),
    close() {
      closed = true;
      cancel();
    },
  };
}

/** Returns true if a call has reached the orchestrator within this time. */
function hasRecentCall(connection: Connection, withinMs: number, scheduler: Scheduler): boolean {
  const { state, lastTriedBy, lastOkAt, lastTriedAt } = connection;
  if (state !== 'ONLINE' || lastTriedBy !== 'call' || lastOkAt === undefined) return false;
  return lastTriedAt === lastOkAt && elapsedSince(scheduler, lastOkAt) < withinMs;
}

function withJitter(ms: number, random?: () => number): number {
  return random ? ms * (1 - JITTER + 2 * JITTER * random()) : ms;
}

import type { Connection } from '../core/adapter.js';
import type { Upstream } from '../core/upstream.js';
import { createBackoff } from '../lib/backoff.js';
import { elapsedSince, type Scheduler } from '../lib/clock.js';
import type { Semaphore } from '../lib/semaphore.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { runWithTimeout } from './run-within.js';
import type { Starter } from './starter.js';

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

import type { Scheduler } from '../../src/core/lib/clock.js';
import type { Connection } from '../../src/core/adapter.js';
import type { Log } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import type { AdapterThread, ThreadListener } from './adapter-thread.js';

/** First and maximum delay before an ended worker is restarted, in milliseconds. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Minimum lifetime of a worker after which the delay starts over, in milliseconds. */
const STEADY_MS = 60_000;
/** Maximum time that a start waits for the adapter to come online, in milliseconds. */
const ONLINE_MS = 5_000;

/** Supervisor that keeps one worker running for one adapter. */
export interface Supervisor {
  /**
   * Starts the worker and waits a limited time for the adapter to come online. Throws `adapter_unavailable`
   * if the worker ends before the start succeeds. A worker that ends later is restarted, each time after a
   * longer delay.
   */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /** Ends the worker; it is not restarted. */
  readonly stop: () => Promise<void>;
  /** Throws `adapter_unavailable` while no worker is ready. */
  readonly thread: () => AdapterThread;
  readonly connection: () => Connection;
}

interface SupervisorInput {
  readonly spawn: (listener: ThreadListener) => AdapterThread;
  readonly log: Log;
  readonly scheduler: Scheduler;
}

/** Callbacks for the progress of one launch. */
interface LaunchListener {
  onReady(): void;
  onOnline(): void;
  onEnd(reason: string): void;
}

const NO_LISTENER: LaunchListener = {
  onReady: () => undefined,
  onOnline: () => undefined,
  onEnd: () => undefined,
};

/** Creates a supervisor; starts nothing. */
export function createSupervisor({ spawn, log, scheduler }: SupervisorInput): Supervisor {
  const { current, record } = trackConnection(scheduler, log, () => isStopped);
  const backoff = createBackoff();
  let running: AdapterThread | undefined;
  let ready: AdapterThread | undefined;
  /** True from the first successful start until `stop`: meanwhile, a worker that ends is restarted. */
  let isRestarting = false;
  let isStopped = false;
  let cancel = (): void => undefined;

  const relaunch = (): void => {
    launch(NO_LISTENER);
  };
  function launch(listener: LaunchListener): void {
    const since = scheduler.now();
    running = spawn({
      onReady() {
        ready = running;
        listener.onReady();
      },
      onConnection(state) {
        record(state, 'the adapter reports that it is offline');
        if (state === 'ONLINE') listener.onOnline();
      },
      onLine: (level, text) => {
        log[level]('community adapter', { text });
      },
      onEnd(reason) {
        running = ready = undefined;
        record('OFFLINE', `its worker ended: ${reason}`);
        listener.onEnd(reason);
        const delayMs = backoff.next(scheduler.now() - since);
        if (isRestarting) cancel = scheduler.after(delayMs, relaunch);
      },
    });
  }

  return {
    async start(signal) {
      await running?.terminate('it is started again');
      if (isStopped) throw notRunning('it was stopped');
      const cancelWork = () => running?.terminate('it was not ready in time');
      const online = untilOnline(launch, scheduler, () => {
        isRestarting = !isStopped;
      });
      await withAbort(signal, cancelWork, online);
    },
    async stop() {
      isStopped = true;
      isRestarting = false;
      cancel();
      await running?.terminate('the adapter was stopped');
    },
    thread() {
      if (ready) return ready;
      throw notRunning(current().reason ?? 'its worker has not started');
    },
    connection: current,
  };
}

function notRunning(reason: string): Problem {
  return new Problem('adapter_unavailable', `the adapter does not run: ${reason}`);
}

/** Waits for `work`, and cancels it if the signal fires first. */
async function withAbort(signal: AbortSignal, cancelWork: () => unknown, work: Promise<void>): Promise<void> {
  const leave = (): void => void cancelWork();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await work;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Resolves when the adapter is online, or when its worker is ready and the time to come online has passed.
 * Calls `keep` then.
 */
function untilOnline(
  launch: (listener: LaunchListener) => void,
  scheduler: Scheduler,
  keep: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const succeed = (): void => {
      cancel();
      keep();
      resolve();
    };
    launch({
      onReady() {
        cancel = scheduler.after(ONLINE_MS, succeed);
      },
      onOnline: succeed,
      onEnd(reason) {
        cancel();
        reject(new Problem('adapter_unavailable', `its worker ended: ${reason}`));
      },
    });
  });
}

/**
 * Records the connection that the adapter reports, and logs each change. Records nothing of an adapter that was stopped: its
 * end is no failure.
 */
function trackConnection(
  scheduler: Scheduler,
  log: Log,
  isStopped: () => boolean,
): { current: () => Connection; record: (state: 'ONLINE' | 'OFFLINE', reason: string) => void } {
  let connection: Connection = { state: 'UNKNOWN', since: scheduler.now() };
  return {
    current: () => connection,
    record(state, reason) {
      if (isStopped()) return;
      const isOffline = state === 'OFFLINE';
      if (connection.state === state && (!isOffline || connection.reason === reason)) return;
      // Every adapter reports that it is offline before its first check.
      const level = connection.state === 'UNKNOWN' ? 'debug' : 'warn';
      connection = { state, since: scheduler.now(), ...(isOffline && { reason }) };
      if (isOffline) log[level]('community adapter is offline', { reason });
      else log.info('community adapter is online');
    },
  };
}

/** Creates a backoff whose delay doubles after each short lifetime of a worker. */
function createBackoff(): { next(livedMs: number): number } {
  let nextDelayMs = FIRST_DELAY_MS;
  return {
    next(livedMs) {
      if (livedMs >= STEADY_MS) nextDelayMs = FIRST_DELAY_MS;
      const delayMs = nextDelayMs;
      nextDelayMs = Math.min(nextDelayMs * 2, MAX_DELAY_MS);
      return delayMs;
    },
  };
}

import type { Log } from '../core/log.js';
import type { Scheduler } from '../lib/clock.js';
import type { Closable } from '../lib/closer-stack.js';
import type { ServerSettings } from '../settings/settings.js';

/** A request to stop the server. */
export interface StopRequest {
  /** The received signal, for example `SIGTERM`. */
  readonly signal: string;
  /** Fires to end the lame duck time early. */
  readonly skip: AbortSignal;
  /** Called when the lame duck time is over and the server waits for running calls. */
  readonly onDrain?: () => void;
}

/** The end of a server: first the lame duck time, then the drain. */
export interface Shutdown extends Closable {
  /** True from the signal on; `/readyz` reports it. */
  readonly isStopping: () => boolean;
  /** Makes {@link isStopping} true for a worker, whose starter waits and writes the lines. */
  readonly announce: (endKeepAlive: () => void) => void;
  /**
   * Begins the lame duck time, in which the server still accepts calls. Resolves when it is over, and immediately
   * without one. Calls `endKeepAlive` at its start, so that clients move their connections to other servers.
   */
  readonly begin: (request: StopRequest, endKeepAlive: () => void) => Promise<void>;
}

interface ShutdownInput {
  readonly settings: Pick<ServerSettings, 'lameDuckSeconds' | 'drainSeconds'>;
  /** Clock for durations. */
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/**
 * Creates the shutdown of a server that runs. Close it after everything that the log lines of a stop may follow, and
 * before the log: it writes the last line.
 */
export function createShutdown({ settings, scheduler, log }: ShutdownInput): Shutdown {
  const { lameDuckSeconds, drainSeconds } = settings;
  let signal: string | undefined;
  let isAnnounced = false;
  let lameDuckMs = 0;
  let drainsSince = 0;
  return {
    isStopping: () => isAnnounced || signal !== undefined,
    announce(endKeepAlive) {
      isAnnounced = true;
      endKeepAlive();
    },
    async begin(request, endKeepAlive) {
      signal = request.signal;
      const startedAt = scheduler.now();
      log.info('stopping', { signal, lameDuckSeconds, drainSeconds });
      if (lameDuckSeconds > 0) {
        endKeepAlive();
        await waitUnless(request.skip, lameDuckSeconds * 1000, scheduler);
      }
      drainsSince = scheduler.now();
      lameDuckMs = Math.round(drainsSince - startedAt);
      request.onDrain?.();
    },
    close() {
      if (signal === undefined) return;
      log.info('stopped', { signal, lameDuckMs, drainMs: Math.round(scheduler.now() - drainsSince) });
    },
  };
}

/** Resolves after a time, or when `skip` fires. */
function waitUnless(skip: AbortSignal, ms: number, scheduler: Scheduler): Promise<void> {
  if (skip.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      skip.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = scheduler.after(ms, finish);
    skip.addEventListener('abort', finish);
  });
}

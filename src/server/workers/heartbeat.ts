import type { Timers } from '../../lib/clock.js';
import type { ProcessStats } from './process-stats.js';
import type { WorkerProcess } from './worker-process.js';

/** Time between two checks of a worker, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;
/** Number of consecutive checks without a reply after which a worker is stuck: ten seconds. */
const MAX_UNANSWERED_CHECKS = 10;

/** The periodic check of one worker. */
export interface Heartbeat {
  /**
   * Pauses the check during a long request, which has its own time limit. The worker is not stuck before the returned
   * function is called.
   */
  readonly pause: () => () => void;
  readonly stop: () => void;
}

interface HeartbeatOptions {
  readonly scheduler: Timers;
  /** Receives the statistics of the worker. */
  readonly onStats: (stats: ProcessStats) => void;
  /** Called once when the worker is stuck; the checks end. */
  readonly onStuck: () => void;
}

/**
 * Requests the statistics of a worker every second. Counts checks instead of time: after a suspended machine or a blocked
 * starter resumes, a healthy worker replies before the next check.
 */
export function watchHeartbeat(
  worker: WorkerProcess,
  { scheduler, onStats, onStuck }: HeartbeatOptions,
): Heartbeat {
  let [isPending, unanswered, pauses] = [false, 0, 0];
  const requestStats = async (): Promise<void> => {
    isPending = true;
    onStats(await worker.ask('readStats', null));
    [isPending, unanswered] = [false, 0];
  };
  const check = (): void => {
    if (isPending && pauses === 0) unanswered += 1;
    if (unanswered === MAX_UNANSWERED_CHECKS) {
      onStuck();
      return;
    }
    // The request fails only if the process ended; the supervisor then stops the checks.
    if (!isPending) requestStats().catch(() => undefined);
    stop = scheduler.after(CHECK_INTERVAL_MS, check);
  };
  let stop = scheduler.after(CHECK_INTERVAL_MS, check);
  return {
    pause() {
      pauses += 1;
      return () => {
        pauses -= 1;
        unanswered = 0;
      };
    },
    stop: () => {
      stop();
    },
  };
}

import type { Scheduler } from '../../core/lib/clock.js';
import type { ProcessStats } from './process-stats.js';
import type { WorkerProcess } from './worker-process.js';

/** Pause between two looks at a worker, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;
/** Looks in a row that find a question without an answer, after which a worker is stuck: ten seconds. */
const MOST_UNANSWERED = 10;

/** A watch over one worker. */
export interface Heartbeat {
  /** It has something long to do, for which it has a time of its own: until the result is called it is not stuck. */
  readonly pause: () => () => void;
  readonly stop: () => void;
}

export interface HeartbeatOptions {
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Told how it fares. */
  readonly note: (vitals: ProcessStats) => void;
  /** Called once when it is stuck; that ends the watch. */
  readonly stuck: () => void;
}

/**
 * Asks a worker once a second how it fares. Looks are counted, not time: a machine that was asleep, and a process that is late
 * itself, look once when they wake, and have the answers of all who are well before they look again.
 */
export function watchHeartbeat(
  worker: Pick<WorkerProcess, 'ask'>,
  { scheduler, note, stuck }: HeartbeatOptions,
): Heartbeat {
  let [isAsked, unanswered, excuses] = [false, 0, 0];
  const ask = async (): Promise<void> => {
    isAsked = true;
    note(await worker.ask('vitals', null));
    [isAsked, unanswered] = [false, 0];
  };
  const look = (): void => {
    if (isAsked && excuses === 0) unanswered += 1;
    if (unanswered === MOST_UNANSWERED) {
      stuck();
      return;
    }
    // One that is gone answers no more, and is no longer watched either.
    if (!isAsked) ask().catch(() => undefined);
    stop = scheduler.after(CHECK_INTERVAL_MS, look);
  };
  let stop = scheduler.after(CHECK_INTERVAL_MS, look);
  return {
    pause() {
      excuses += 1;
      return () => {
        excuses -= 1;
        unanswered = 0;
      };
    },
    stop: () => {
      stop();
    },
  };
}

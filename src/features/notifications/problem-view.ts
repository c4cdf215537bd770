import type { Log } from '../../core/log.js';
import type {
  Acknowledgement,
  Mute,
  NotificationStore,
  ProblemReport,
  ReportedProblem,
} from '../../core/notification.js';
import type { Clock } from '../../lib/clock.js';
import { errorMessage } from '../../lib/error-message.js';
import type { NotificationStates } from './notification-states.js';
import { problemsOf } from './problems.js';

/** Time in milliseconds for which the report of a process is valid, and for which a process stays the sender without a look. */
const LIVE_MS = 45_000;

/** Problems that this process reports now, with what silences them. */
export interface ProblemView {
  /** False if the store failed: the view is what this process knows. */
  readonly isStoreUp: boolean;
  /** False if another process reports the problems. */
  readonly isSender: boolean;
  readonly problems: readonly ReportedProblem[];
  readonly mutes: readonly Mute[];
  readonly acknowledgements: readonly Acknowledgement[];
  /** Milliseconds since 1970; by the clock of the database, which all nodes share. */
  readonly now: number;
}

interface ProblemViewInput {
  readonly store: NotificationStore;
  readonly states: NotificationStates;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Creates the function that publishes the report of this process, and returns the view. The sender of the cluster sees the problems
 * of all live processes. While the store fails, no process can read the reports: the last sender then reports its own
 * problems, and every other process reports only that the database does not answer.
 */
export function createProblemView(input: ProblemViewInput): (own: ProblemReport) => Promise<ProblemView> {
  const { store, states, clock, log } = input;
  /** Latest view of the store, and its clock less that of this process. */
  let last = {
    isSender: false,
    mutes: [] as readonly Mute[],
    acknowledgements: [] as readonly Acknowledgement[],
  };
  let aheadMs = 0;
  let isStoreUp = true;

  async function readStore(own: ProblemReport): Promise<ProblemView> {
    const before = Math.floor(clock.now());
    const { isSender, now, reports } = await store.publish(own, { now: before, ttlMs: LIVE_MS });
    aheadMs = now - before;
    await states.synchronize();
    const [mutes, acknowledgements] = await Promise.all([store.mutes(), store.acknowledgements()]);
    last = { isSender, mutes, acknowledgements };
    return { ...last, isStoreUp: true, problems: problemsOf(reports), now };
  }

  function noteStore(isUp: boolean, reason?: string): void {
    if (isUp !== isStoreUp) {
      if (isUp) log.info('notifications are stored again');
      else log.warn('database does not answer; notifications continue from memory', { reason });
    }
    isStoreUp = isUp;
  }

  return async (own) => {
    try {
      const view = await readStore(own);
      noteStore(true);
      return view;
    } catch (error) {
      noteStore(false, errorMessage(error));
      const problems = last.isSender
        ? own.problems
        : own.problems.filter(({ code }) => code === 'store-down');
      return { ...last, isStoreUp: false, isSender: true, problems, now: Math.floor(clock.now()) + aheadMs };
    }
  };
}

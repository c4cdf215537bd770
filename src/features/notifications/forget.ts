import type { Acknowledgement, NotificationState, ReportedProblem, StateChanges } from './notification.js';

/** Time in milliseconds after which the acknowledgement of a problem that is over is removed. */
const ACKNOWLEDGED_MS = 10 * 60_000;
/** Time in milliseconds after which the states of a receiver that is not configured are removed. */
const UNCONFIGURED_MS = 60 * 60_000;

/** Finds what the store need not keep any longer. */
interface Forgetting {
  /** Returns the ids of the problems whose acknowledgement is outdated: the same problem may begin again. */
  readonly acknowledgements: (
    all: readonly Acknowledgement[],
    problems: readonly ReportedProblem[],
    now: number,
  ) => readonly string[];
  /**
   * Returns the states of receivers that have been removed from the settings for an hour. Until then, a receiver that returns gets
   * no message twice.
   */
  readonly states: (
    all: readonly NotificationState[],
    receivers: readonly string[],
    now: number,
  ) => StateChanges['removed'];
}

/** Creates a {@link Forgetting} that has seen nothing yet. */
export function createForgetting(): Forgetting {
  const problemIsGone = createAbsence(ACKNOWLEDGED_MS);
  const receiverIsGone = createAbsence(UNCONFIGURED_MS);
  return {
    acknowledgements(all, problems, now) {
      const present = new Set(problems.map(({ id }) => id));
      return all
        .map(({ problem }) => problem)
        .filter((problem) => problemIsGone(problem, { isPresent: present.has(problem), now }));
    },
    states(all, receivers, now) {
      const present = new Set(receivers);
      const gone = new Set(
        [...new Set(all.map(({ receiver }) => receiver)), ...receivers].filter((name) =>
          receiverIsGone(name, { isPresent: present.has(name), now }),
        ),
      );
      return all
        .filter(({ receiver }) => gone.has(receiver))
        .map(({ receiver, problem }) => ({ receiver, problem: problem.id }));
    },
  };
}

/** Creates a function that returns true once a name has been absent for a time. */
function createAbsence(
  ms: number,
): (name: string, look: { readonly isPresent: boolean; readonly now: number }) => boolean {
  const absentSince = new Map<string, number>();
  return (name, { isPresent, now }) => {
    const since = absentSince.get(name);
    if (isPresent) absentSince.delete(name);
    else if (since === undefined) absentSince.set(name, now);
    else if (now - since >= ms) {
      absentSince.delete(name);
      return true;
    }
    return false;
  };
}

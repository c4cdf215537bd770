import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { serveUnderFault } from './serve-under-fault.js';
import { ERRORS, type Outcome, type SystemCall, type Trial } from './trial.js';
import { writeUnderFault } from './write-under-fault.js';

/** Programs that run under faults, and the system calls with which they store data. */
const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  server: {
    run: serveUnderFault,
    calls: [
      ...(['openat', 'read', 'write', 'pwrite64', 'fsync', 'fdatasync'] as const),
      ...(['ftruncate', 'link', 'unlink', 'accept'] as const),
    ],
  },
  files: { run: writeUnderFault, calls: ['openat', 'read', 'write', 'fsync', 'link', 'rename', 'unlink'] },
};

type SubjectName = 'server' | 'files';

interface Subject {
  /** Runs once in an empty folder. */
  readonly run: (folder: string, trial: Trial) => Promise<Outcome>;
  readonly calls: readonly SystemCall[];
}

interface FaultPlan {
  readonly subjects?: readonly SubjectName[];
  readonly calls?: readonly SystemCall[];
  readonly errors?: readonly string[];
  /**
   * Number of the first call that fails; the step between calls; number of the last call, if there are more.
   */
  readonly first?: number;
  readonly every: number;
  readonly last?: number;
  /** Runs at the same time. */
  readonly lanes: number;
  /** True sabotages the program; the check must then fail. */
  readonly isDeaf?: boolean;
  /** Receives each violation as soon as it is detected. */
  readonly tell?: (violation: string) => void;
}

/** Results of all runs. */
interface FaultReport {
  readonly runs: number;
  /** Number of injected faults: a run may have one in each of its threads. */
  readonly faults: number;
  readonly acknowledged: number;
  /** Runs by the system call that failed. */
  readonly calls: Readonly<Partial<Record<SystemCall, number>>>;
  /** System calls of the plan that no program made. */
  readonly unused: readonly SystemCall[];
  readonly violations: readonly string[];
}

/**
 * Makes every n-th call of each system call fail with each error, one per run, until a run has no such call.
 */
export async function tryFaults(plan: FaultPlan): Promise<FaultReport> {
  const rows = rowsOf(plan);
  const planned = new Set(rows.map(({ call }) => call));
  const outcomes: (Outcome & { readonly row: Row })[] = [];
  const lane = async (): Promise<void> => {
    for (let row = rows.shift(); row; row = rows.shift())
      for await (const outcome of tryRow(row, plan)) outcomes.push({ row, ...outcome });
  };
  await Promise.all(Array.from({ length: plan.lanes }, lane));
  const sum = (count: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const calls: Partial<Record<SystemCall, number>> = {};
  for (const { row } of outcomes) calls[row.call] = (calls[row.call] ?? 0) + 1;
  return {
    runs: outcomes.length,
    faults: sum(({ faults }) => faults),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    calls,
    unused: [...planned].filter((call) => calls[call] === undefined),
    violations: outcomes.flatMap(({ violations }) => violations),
  };
}

interface Row {
  readonly subject: SubjectName;
  readonly call: SystemCall;
  readonly error: string;
}

function rowsOf({ subjects = ['files', 'server'], calls: wanted, errors = ERRORS }: FaultPlan): Row[] {
  return subjects.flatMap((subject) =>
    SUBJECTS[subject].calls
      .filter((call) => wanted?.includes(call) ?? true)
      .flatMap((call) => errors.map((error) => ({ subject, call, error }))),
  );
}

async function* tryRow(
  { subject, call, error }: Row,
  { first = 1, every, last = Infinity, isDeaf = false, tell }: FaultPlan,
): AsyncGenerator<Outcome> {
  for (let nth = first; nth <= last; nth += every) {
    const folder = temporaryFolder();
    const outcome = await SUBJECTS[subject].run(folder.path, { call, error, nth, isDeaf });
    folder.remove();
    // A change that is refused although no call fails would never be tested.
    const undone =
      outcome.faults > 0 ? [] : outcome.undone.map((what) => `without a fault, not done: ${what}`);
    const violations = [...outcome.violations, ...undone].map(
      (words) => `${subject}, ${call} ${nth} ${error}: ${words}`,
    );
    for (const violation of violations) tell?.(violation);
    // The last run of a row had no fault: there are no more such calls.
    if (outcome.faults > 0 || violations.length > 0) yield { ...outcome, violations };
    if (outcome.faults === 0) return;
  }
}

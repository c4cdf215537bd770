/** Work in steps that take about a millisecond each, with its result. */
export type Work<Result> = Generator<undefined, Result>;

/** Does all steps of the work at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** How long work may run, and what happens in between. */
export interface Slices {
  /** Length of a slice in milliseconds. */
  readonly milliseconds: number;
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Resolves when the page may be busy again. */
  pause(): Promise<void>;
  /** Returns true if nobody needs the result any more. */
  isCancelled(): boolean;
}

interface Done<Result> {
  readonly result: Result;
}

/** Does the steps of one slice. Returns undefined if there are more steps. */
export function runSlice<Result>(
  work: Work<Result>,
  { milliseconds, now }: Pick<Slices, 'milliseconds' | 'now'>,
): Done<Result> | undefined {
  const end = now() + milliseconds;
  do {
    const step = work.next();
    if (step.done === true) return { result: step.value };
  } while (now() < end);
  return undefined;
}

/** Does the steps of the work in slices, so that the page can react in between. Resolves to undefined if it was cancelled. */
export async function runInSlices<Result>(
  work: Work<Result>,
  slices: Slices,
): Promise<Done<Result> | undefined> {
  for (;;) {
    const done = runSlice(work, slices);
    if (done) return done;
    await slices.pause();
    if (slices.isCancelled()) return undefined;
  }
}

/** What a check found in the replies that a test file received. */
export interface Findings {
  /** Replies that were looked at. */
  readonly replies: number;
  readonly faults: readonly string[];
}

const checks: (() => Findings)[] = [];

/**
 * Adds a check to the end of every test file of this process; called once, when the module that needs it is loaded. A check
 * returns what it found since the last time.
 */
export function checkAfterFile(check: () => Findings): void {
  checks.push(check);
}

/** Runs all of them. */
export function runChecks(): Findings {
  const all = checks.map((check) => check());
  return {
    replies: all.reduce((sum, { replies }) => sum + replies, 0),
    faults: all.flatMap(({ faults }) => faults),
  };
}

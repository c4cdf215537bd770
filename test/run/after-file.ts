/** Results of a check of the replies that a test file received. */
interface Findings {
  /** Number of checked replies. */
  readonly replies: number;
  readonly faults: readonly string[];
}

const checks: (() => Findings)[] = [];

/**
 * Adds a check to the end of every test file of this process. Call it once, when the module that needs it is
 * loaded. A check returns its results since the previous call.
 */
export function checkAfterFile(check: () => Findings): void {
  checks.push(check);
}

export function runChecks(): Findings {
  const all = checks.map((check) => check());
  return {
    replies: all.reduce((sum, { replies }) => sum + replies, 0),
    faults: all.flatMap(({ faults }) => faults),
  };
}

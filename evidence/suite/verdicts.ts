/** One run of the suite. */
export interface Course {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly test: string; readonly message: string }[];
  readonly seconds: number;
}

/** Results of several runs. */
interface SuiteVerdict {
  readonly tests: number;
  /** Tests that passed in one run and failed in another. */
  readonly flaky: readonly string[];
  /** Those that never passed. */
  readonly failing: readonly string[];
}

/** Judges each test by all its runs. */
export function judge(courses: readonly Course[]): SuiteVerdict {
  const passed = new Set(courses.flatMap((course) => course.passed));
  const failed = [...new Set(courses.flatMap((course) => course.failed.map(({ test }) => test)))];
  return {
    tests: new Set([...passed, ...failed]).size,
    flaky: failed.filter((test) => passed.has(test)),
    failing: failed.filter((test) => !passed.has(test)),
  };
}

import { createRequire } from 'node:module';
import type { Context } from 'mocha';

const require = createRequire(import.meta.url);

/**
 * Returns a package that only checks shipped files. Skips the test with a reason if the package is missing.
 */
export function toolOrSkip(test: Context, name: string): unknown {
  try {
    return require(name) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return skip(test, `the package ${name} is not installed`);
  }
}

/** Skips the running test and reports the reason. */
export function skip(test: Context, reason: string): never {
  test.runnable().title += ` (skipped: ${reason})`;
  return test.skip();
}

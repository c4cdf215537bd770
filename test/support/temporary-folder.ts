import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IS_LEAK_SCAN } from './leak-scan.js';

interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Folders that were not removed yet. */
const left = new Set<string>();

/**
 * A new empty folder; removed by `remove`, or when the tests around the call have ended. A leak scan keeps it
 * until it has searched it.
 */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const remove = (): void => {
    removeFolder(path);
  };
  if (!IS_LEAK_SCAN) {
    left.add(path);
    // Runs for evidence have no tests around them.
    if ('after' in globalThis) {
      // If one process repeats the tests, as for mutants, the group needs its folder again.
      before(() => mkdirSync(path, { recursive: true }));
      after(remove);
    }
  }
  return { path, remove };
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  left.delete(path);
}

// Mocha does not call `after` of a group whose tests were all left out.
process.once('exit', () => {
  for (const path of left) removeFolder(path);
});

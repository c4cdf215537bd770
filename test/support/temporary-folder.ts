import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'mocha';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A new empty folder; removed by `remove`, or when the tests around the call have ended. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true });
  };
  after(remove);
  return { path, remove };
}

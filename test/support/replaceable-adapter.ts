import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../../src/core/fault.js';
import { temporaryFolder } from './temporary-folder.js';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.js';

/** A test server whose adapter `core1` can be replaced repeatedly. */
export interface ReplaceableAdapter {
  readonly testServer: TestServer;
  /** Reloads with a file that gatehouse treats as a different adapter for each number; returns the faults. */
  readonly replace: (round: number) => Promise<readonly Fault[]>;
}

/** Opens the server in a new folder; the caller closes `testServer`. */
export async function openReplaceableAdapter(
  options: Pick<TestServerOptions, 'pluginFolder'> = {},
): Promise<ReplaceableAdapter> {
  const { path: folder } = temporaryFolder();
  const testServer = await startTestServer({ ...options, folder });
  const file = join(folder, 'adapters', 'core1.yaml');
  const written = readFileSync(file, 'utf8');
  return {
    testServer,
    replace: (round) => {
      writeFileSync(file, `${written}timeouts: { totalMs: ${20_000 + round} }\n`);
      return testServer.running.reload();
    },
  };
}

import type { TestServer } from './test-server.js';

/** Returns the process IDs of all workers of a server that have served, the oldest first. */
export function workerPids({ logLines }: Pick<TestServer, 'logLines'>): readonly number[] {
  const lines = logLines.join('').split('\n');
  return lines
    .filter((line) => line.includes('"worker serves"'))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);
}

import type { TestServer } from './test-server.js';

/** Returns the process IDs of all workers of a server that have served, the oldest first. */
export function workerPids(server: Pick<TestServer, 'logLines'>): readonly number[] {
  return logLinesWith(server, '"worker serves"').map((line) => (JSON.parse(line) as { pid: number }).pid);
}

/** Returns the lines of the log of a server that contain a text. */
export function logLinesWith({ logLines }: Pick<TestServer, 'logLines'>, text: string): readonly string[] {
  const lines = logLines.join('').split('\n');
  return lines.filter((line) => line.includes(text));
}

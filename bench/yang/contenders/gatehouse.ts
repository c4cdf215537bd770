import { fileURLToPath } from 'node:url';
import type { Contender } from '../contender.js';

/** gatehouse's compiler as a library: every module to JSON Schema, including state data. */
export const gatehouse: Contender = {
  name: 'gatehouse',
  version: () => `Node.js ${process.version}`,
  run: ({ folder, files }) => ({
    command: process.execPath,
    args: [fileURLToPath(new URL('../compile-files.js', import.meta.url)), folder],
    input: files.join('\n'),
  }),
  compiled: (said) => Number(/^compiled (\d+)/.exec(said)?.[1] ?? 0),
};

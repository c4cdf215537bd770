import { fileURLToPath } from 'node:url';
import { measure, type Run } from '../../measure.js';
import type { Contender, Device } from '../contender.js';

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
  runDevice: (device) => commandLine(device, []),
  treesOf: async (device) => (await measure(commandLine(device, ['--format', 'tree']))).said,
};

/** Returns the command as a user starts it: schemas, uiSchemas and warnings of all modules, with state data, on standard output. */
function commandLine({ folder, files }: Device, options: readonly string[]): Run {
  const command = fileURLToPath(new URL('../../../bin/gatehouse.js', import.meta.url));
  return {
    command: process.execPath,
    args: [command, 'yang', ...files, '--lenient', '--content', 'all', ...options],
    cwd: folder,
  };
}

import { versionOf } from '../../measure.js';
import type { Contender } from '../contender.js';

/**
 * libyang's own program: every module is loaded and compiled, each in an empty context. It writes nothing.
 */
export const yanglint: Contender = {
  name: 'yanglint',
  version: () => versionOf('yanglint'),
  run: ({ folder, files }) => ({
    command: 'yanglint',
    args: [],
    cwd: folder,
    input: files.map((file) => `clear\nsearchpath ${folder}\nadd ${file}\n`).join(''),
  }),
  // The output cannot be split by file.
  compiled: () => undefined,
};

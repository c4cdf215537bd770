import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
    // For an absolute name, libyang 2.1 reads the whole directory above.
    input: files.map((file) => `clear\nsearchpath ${folder}\nadd ${relative(folder, file)}\n`).join(''),
  }),
  // The output cannot be split by file.
  compiled: () => undefined,
  runDevice: ({ folder, files }, scratch) => {
    // It compiles all modules again for each one that is added, so one module is added that imports all of them.
    const names = files.map(nameOf);
    const imports = names.map((name, at) => `import ${name} { prefix p${at}; }`);
    // Its name is relative to the folder of the process, for the same reason.
    const all = 'gatehouse-bench-all.yang';
    writeFileSync(
      join(scratch, all),
      `module gatehouse-bench-all { namespace "urn:all"; prefix all; ${imports.join(' ')} }\n`,
    );
    const prints = names.map((name) => `print -f tree -o ${treeFile(scratch, name)} ${name}\n`);
    const input = `verb error\nsearchpath ${folder}\nadd -i -i ${all}\n${prints.join('')}`;
    return { command: 'yanglint', args: [], cwd: scratch, input };
  },
  treesOf: ({ files }, scratch) => {
    const written = files.map((file) => treeFile(scratch, nameOf(file))).filter((file) => existsSync(file));
    return Promise.resolve(written.map((file) => readFileSync(file, 'utf8')).join(''));
  },
};

/** Returns the name of the module in a file. */
function nameOf(file: string): string {
  return file.replace(/(?:@[^@]*)?\.yang$/, '');
}

function treeFile(scratch: string, name: string): string {
  return join(scratch, `${name}.tree`);
}

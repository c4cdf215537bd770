import { readFileSync } from 'node:fs';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary } from '../../src/yang/directory-library.js';
import { headingOf } from '../../src/yang/modules/library.js';
import { compilesInYanglint } from './yanglint.js';

/** How our compiler and yanglint judge the files of a folder, and what both took. */
export interface CompileReport {
  readonly compiledByBoth: number;
  readonly refusedByBoth: number;
  readonly onlyTheirs: readonly string[];
  readonly onlyOurs: readonly string[];
  /** Refused by yanglint only as long as it does not implement what the module refers to. */
  readonly needImplementing: number;
  readonly ourMilliseconds: number;
  readonly theirMilliseconds: number;
  readonly megabytes: number;
}

/** Compiles every file by itself, imports taken from the whole folder, and asks yanglint about each. */
export function compileAll(files: readonly string[], folder: string): CompileReport {
  const library = directoryLibrary([folder]);
  const before = performance.now();
  const ours = new Map(files.map((file) => [file, compiles(file)] as const));
  const ourMilliseconds = performance.now() - before;
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
  let theirMilliseconds = 0;
  const judged = files.map((file) => {
    const theirs = compilesInYanglint(file, { folder, implement: false });
    theirMilliseconds += theirs.milliseconds;
    const rescued =
      !theirs.compiles && ours.get(file) && compilesInYanglint(file, { folder, implement: true }).compiles;
    return { file, ours: ours.get(file) ?? false, theirs: theirs.compiles, rescued };
  });
  return {
    compiledByBoth: judged.filter((one) => one.ours && one.theirs).length,
    refusedByBoth: judged.filter((one) => !one.ours && !one.theirs).length,
    onlyTheirs: judged.filter((one) => !one.ours && one.theirs).map(({ file }) => file),
    onlyOurs: judged.filter((one) => one.ours && !one.theirs && !one.rescued).map(({ file }) => file),
    needImplementing: judged.filter(({ rescued }) => rescued).length,
    ourMilliseconds: Math.round(ourMilliseconds),
    theirMilliseconds: Math.round(theirMilliseconds),
    megabytes,
  };

  function compiles(file: string): boolean {
    const text = readFileSync(file, 'utf8');
    // yanglint refuses a submodule by itself; here it has no schema.
    if (headingOf(text)?.kind !== 'module') return false;
    return 'modules' in compileYang([{ file, text }], { library, content: 'all' });
  }
}

import { readFileSync } from 'node:fs';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary, headingOf } from '../../src/yang/modules/library.js';
import { compilesInYanglint } from './yanglint.js';

/** Judgments of our compiler and yanglint on the files of a folder, and their times. */
export interface CompileReport {
  readonly compiledByBoth: number;
  readonly refusedByBoth: number;
  readonly onlyTheirs: readonly string[];
  readonly onlyOurs: readonly string[];
  /** Refused by yanglint only until it implements the modules that the file refers to. */
  readonly needImplementing: number;
  readonly ourMilliseconds: number;
  readonly theirMilliseconds: number;
  readonly megabytes: number;
}

/** Compiles every file separately, with imports from the whole folder, and compares with yanglint. */
export function compileAll(files: readonly string[], folder: string): CompileReport {
  const library = directoryLibrary([folder]);
  const before = performance.now();
  const ours = new Map(files.map((file) => [file, compiles(file)] as const));
  const ourMilliseconds = performance.now() - before;
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
  let theirMilliseconds = 0;
  const checked = files.map((file) => {
    const theirs = compilesInYanglint(file, { folder, implement: false });
    theirMilliseconds += theirs.milliseconds;
    const rescued =
      !theirs.compiles && ours.get(file) && compilesInYanglint(file, { folder, implement: true }).compiles;
    return { file, ours: ours.get(file) ?? false, theirs: theirs.compiles, rescued };
  });
  return {
    compiledByBoth: checked.filter((one) => one.ours && one.theirs).length,
    refusedByBoth: checked.filter((one) => !one.ours && !one.theirs).length,
    onlyTheirs: checked.filter((one) => !one.ours && one.theirs).map(({ file }) => file),
    onlyOurs: checked.filter((one) => one.ours && !one.theirs && !one.rescued).map(({ file }) => file),
    needImplementing: checked.filter(({ rescued }) => rescued).length,
    ourMilliseconds: Math.round(ourMilliseconds),
    theirMilliseconds: Math.round(theirMilliseconds),
    megabytes,
  };

  function compiles(file: string): boolean {
    const text = readFileSync(file, 'utf8');
    // yanglint refuses a separate submodule; our compiler returns no schema for it.
    if (headingOf(text)?.kind !== 'module') return false;
    return 'modules' in compileYang([{ file, text }], { library, content: 'all' });
  }
}

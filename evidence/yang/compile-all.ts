import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary, headingOf } from '../../src/yang/modules/library.js';
import { compilesInYanglint } from './yanglint.js';

/** Judgments of our compiler and yanglint on the main modules of a folder, and their CPU times. */
interface CompileReport {
  /** Main modules. Submodules are compiled with the module that they belong to. */
  readonly modules: number;
  readonly compiledByBoth: number;
  /** Refused by both, and our compiler names a module or submodule that the folder does not have. */
  readonly missing: number;
  /** Refused by both for another reason. */
  readonly refusedByBoth: number;
  /** Refused by our compiler, which compiles them with the option `lenient`. */
  readonly lenient: number;
  readonly onlyTheirs: readonly string[];
  readonly onlyOurs: readonly string[];
  /** Refused by yanglint only until it implements the modules that the file refers to. */
  readonly needImplementing: number;
  /** CPU time of our compiler in one warm process, in milliseconds. */
  readonly ourCpuMilliseconds: number;
  /** CPU time of yanglint in one process a module, in milliseconds. */
  readonly theirCpuMilliseconds: number;
  /** Peak of resident memory of this process. */
  readonly megabytes: number;
}

type Outcome = 'compiled' | 'lenient' | 'missing' | 'refused';

/**
 * Compiles every main module separately, with imports from the folders, and compares with yanglint. The files are in
 * the first folder.
 */
export function compileAll(files: readonly string[], folders: readonly [string, ...string[]]): CompileReport {
  const [folder] = folders;
  const library = directoryLibrary(folders);
  const modules = files.filter((file) => headingOf(readFileSync(file, 'utf8'))?.kind === 'module');
  const before = process.cpuUsage();
  const outcomes = modules.map(outcomeOf);
  const { user, system } = process.cpuUsage(before);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const beforeTheirs = cpuOfChildren();
  const checked = modules.map((file, at) => {
    const name = relative(folder, file);
    const ours = outcomes[at] ?? 'refused';
    const theirs = compilesInYanglint(name, { folders, implement: false });
    const isRescued =
      !theirs && ours === 'compiled' && compilesInYanglint(name, { folders, implement: true });
    return { file, ours, theirs, isRescued };
  });
  const refused = checked.filter(({ ours, theirs }) => ours !== 'compiled' && !theirs);
  return {
    modules: modules.length,
    compiledByBoth: checked.filter(({ ours, theirs }) => ours === 'compiled' && theirs).length,
    missing: refused.filter(({ ours }) => ours === 'missing').length,
    refusedByBoth: refused.filter(({ ours }) => ours !== 'missing').length,
    lenient: checked.filter(({ ours }) => ours === 'lenient').length,
    onlyTheirs: checked.filter(({ ours, theirs }) => ours !== 'compiled' && theirs).map(({ file }) => file),
    onlyOurs: checked
      .filter(({ ours, theirs, isRescued }) => ours === 'compiled' && !theirs && !isRescued)
      .map(({ file }) => file),
    needImplementing: checked.filter(({ isRescued }) => isRescued).length,
    ourCpuMilliseconds: Math.round((user + system) / 1000),
    theirCpuMilliseconds: cpuOfChildren() - beforeTheirs,
    megabytes,
  };

  function outcomeOf(file: string): Outcome {
    const source = { file, text: readFileSync(file, 'utf8') };
    const result = compileYang([source], { library, content: 'all' });
    if ('modules' in result) return 'compiled';
    if (result.faults.some(({ rule }) => rule === 'missing')) return 'missing';
    return 'modules' in compileYang([source], { library, content: 'all', lenient: true })
      ? 'lenient'
      : 'refused';
  }
}

/** Milliseconds of a clock tick in `/proc/PID/stat`, which is 100 a second on Linux. */
const TICK_MS = 10;

/** Returns the CPU time of the ended child processes in milliseconds; 0 if the system does not report it. */
function cpuOfChildren(): number {
  try {
    // The name of the program may contain spaces; fields 16 and 17 are the times of ended children.
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=\w )/);
    const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return 0;
  }
}

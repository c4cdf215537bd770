import { readFileSync } from 'node:fs';
import { compileYang } from '../../src/yang/compile.js';
import { formatYangFault, type YangFault } from '../../src/yang/diagnostic.js';
import { firstOf } from '../../src/yang/modules/bundled-modules.js';
import { directoryLibrary, headingOf } from '../../src/yang/modules/library.js';
import type { Difference } from './differences.js';
import { askLibyang, askPyang, type Complaint, type Judge, PYANG } from './judges.js';

/** Judgments of our compiler and others on the main modules of a folder, and their CPU times. */
interface CompileReport {
  /** Main modules. Submodules are compiled with the module that they belong to. */
  readonly modules: number;
  readonly compiled: number;
  /** Refused, because the folders do not have a module or submodule. */
  readonly missing: number;
  /** Refused, and compiled with the option `lenient`. */
  readonly lenient: number;
  readonly differences: readonly Difference[];
  /** CPU time of our compiler in one warm process, in milliseconds. */
  readonly ourCpuMilliseconds: number;
  /** CPU time of each judge, in milliseconds: yanglint in one process a module, pyang in batches. */
  readonly judgeCpuMilliseconds: Readonly<Partial<Record<Judge, number>>>;
  /** Peak of resident memory of this process. */
  readonly megabytes: number;
}

/**
 * Compiles every main module by itself, with imports from the folders, and asks the judges that are installed. The files are in
 * the first folder. `misread` replaces a text for our compiler only, to simulate a fault of it.
 */
export function compileAll(
  files: readonly string[],
  folders: readonly [string, ...string[]],
  misread = (text: string) => text,
): CompileReport {
  const [own, ...others] = folders;
  const library = firstOf(directoryLibrary([own]), directoryLibrary(others));
  const modules = files.filter((file) => headingOf(readFileSync(file, 'utf8'))?.kind === 'module');
  const before = process.cpuUsage();
  const faults = new Map(modules.map((file) => [file, faultsOf(file, false)]));
  const { user, system } = process.cpuUsage(before);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const differences: Difference[] = [];
  const judgeCpuMilliseconds: Partial<Record<Judge, number>> = {};
  for (const [judge, ask] of [
    ['libyang', askLibyang],
    ...(PYANG === undefined ? [] : [['pyang', askPyang] as const]),
  ] as const) {
    const start = cpuOfChildren();
    for (const [file, theirs] of ask(modules, folders)) {
      const ours = complaintOf(faults.get(file) ?? []);
      if ((ours === undefined) !== (theirs === undefined)) differences.push({ judge, file, ours, theirs });
    }
    judgeCpuMilliseconds[judge] = cpuOfChildren() - start;
  }
  const refused = [...faults].filter(([, found]) => found.length > 0);
  const missing = refused.filter(([, found]) => found.some(({ rule }) => rule === 'missing'));
  return {
    modules: modules.length,
    compiled: modules.length - refused.length,
    missing: missing.length,
    lenient: refused.filter(([file]) => faultsOf(file, true).length === 0).length,
    differences,
    ourCpuMilliseconds: Math.round((user + system) / 1000),
    judgeCpuMilliseconds,
    megabytes,
  };

  function faultsOf(file: string, lenient: boolean): readonly YangFault[] {
    const source = { file, text: misread(readFileSync(file, 'utf8')) };
    const result = compileYang([source], { library, content: 'all', lenient });
    return 'faults' in result ? result.faults : [];
  }
}

function complaintOf([fault]: readonly YangFault[]): Complaint {
  return fault && formatYangFault(fault);
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

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Results that the process of a test file writes for the test runner. */
export interface FileRecord {
  /** Path of the compiled file. */
  readonly file: string;
  /** The time since the end of the previous file in the same process, which includes loading. */
  readonly seconds: number;
  /** CPU seconds of this process, and of its children that ended (Linux). */
  readonly cpuSeconds: number;
  /** Replies that were compared with the API description. */
  readonly replies: number;
}

/** Names the folder that the runner shares with its processes. */
export const RUN_FOLDER = 'GATEHOUSE_TEST_RUN';

const folder = process.env[RUN_FOLDER] ?? '';

/** Appends a record; does nothing without a runner that reads it. */
export function writeFileRecord(record: FileRecord): void {
  if (folder !== '') appendFileSync(join(folder, 'files.ndjson'), `${JSON.stringify(record)}\n`);
}

/** Reads the records that were written into a folder so far. */
export function readFileRecords(from: string): readonly FileRecord[] {
  const file = join(from, 'files.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as FileRecord);
}

/** Clock ticks of `/proc/PID/stat` in a second: the same on all architectures of Linux. */
const TICKS = 100;

/**
 * Returns the processor time of this process and of its children that have ended, in seconds. Linux only
 * shows that of the children; elsewhere it is omitted.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildren();
}

function endedChildren(): number {
  try {
    return childTicks(readFileSync('/proc/self/stat', 'utf8')) / TICKS;
  } catch {
    return 0;
  }
}

/** Adds up cutime and cstime (proc_pid_stat(5)). The name of the process may contain spaces and parentheses. */
function childTicks(stat: string): number {
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return Number(user) + Number(system);
}

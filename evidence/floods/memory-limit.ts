import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A control group that limits the memory of the process in it. */
interface MemoryLimit {
  /** Mechanism: `cgroup v1`, `cgroup v2` or `none`. */
  readonly by: string;
  /** Command in front of another one that runs it in the group; empty without a group. */
  readonly command: readonly string[];
  /** Removes the group when its process has ended. */
  readonly remove: () => Promise<void>;
}

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';
const NONE: MemoryLimit = { by: 'none', command: [], remove: () => Promise.resolve() };

/**
 * Creates a control group below the group of this process. Without the right to do so, the result limits
 * nothing; `ulimit -v` is no substitute, because V8 reserves more address space than it uses.
 */
export function limitMemory(bytes: number): MemoryLimit {
  return (
    tryGroup(V1, 'memory', { 'memory.limit_in_bytes': bytes }) ??
    tryGroup(V2, '', { 'memory.max': bytes, 'memory.swap.max': 0 }) ??
    NONE
  );
}

let groups = 0;

function tryGroup(
  mount: string,
  controller: string,
  limits: Readonly<Record<string, number>>,
): MemoryLimit | undefined {
  const own = ownGroup(controller);
  if (own === undefined) return undefined;
  const folder = join(mount, own, `gatehouse-floods-${process.pid}-${(groups += 1)}`);
  try {
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  try {
    for (const [name, value] of Object.entries(limits)) writeFileSync(join(folder, name), String(value));
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    by: controller === '' ? 'cgroup v2' : 'cgroup v1',
    command: ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder],
    remove: () => removeGroup(folder),
  };
}

/** Returns the path of this process's group below the mount of the controller (`''`: version 2). */
function ownGroup(controller: string): string | undefined {
  try {
    const rows = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
    const row = rows.find((line) => (line.split(':')[1] ?? '').split(',').includes(controller));
    return row?.split(':').slice(2).join(':');
  } catch {
    return undefined;
  }
}

/** The kernel takes a moment until the group of a process that has ended is empty. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempts = 50; attempts > 0; attempts -= 1) {
    try {
      rmdirSync(folder);
      return;
    } catch {
      await pause(100);
    }
  }
}

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqliteDatabase } from '../../src/storage/sqlite-driver.js';
import { openDatabaseFile, readColumn } from '../support/sqlite.js';
import { type FileEvent, readTrace, TRACE } from './syscall-trace.js';

interface PowerPlan {
  readonly folder: string;
  /** Forms that are created while the power may fail. */
  readonly forms: number;
  /** True disables SQLite's waits for the disk: the check must then find losses. */
  readonly sabotage: boolean;
  /** Seed of the random states; 1 when absent. */
  readonly seed?: number;
  /** Number of steps from one check to the next while the tables are created; 1 when absent. */
  readonly setupStride?: number;
}

/** Results of the test. */
export interface PowerReport {
  /** Number of disk states that a power failure could leave. */
  readonly states: number;
  readonly acknowledged: number;
  /** Number of states in which an acknowledged form is missing. */
  readonly losing: number;
  /** Number of states that are not a valid database. */
  readonly broken: number;
}

const FILES = ['power.db', 'power.db-wal'] as const;

/** A file on the disk: its durable content, and later writes that may or may not be present. */
interface Disk {
  safe: Buffer;
  pending: FileEvent[];
}

/**
 * Records every step of a process that creates forms, and looks at the disk that a power failure could leave
 * after each.
 */
export function losePower(plan: PowerPlan): PowerReport {
  const { folder, forms, sabotage, seed = 1, setupStride = 1 } = plan;
  const disks = new Map<string, Disk>(FILES.map((file) => [file, { safe: Buffer.alloc(0), pending: [] }]));
  const acknowledged: string[] = [];
  const count = { states: 0, losing: 0, broken: 0 };
  const random = sequence(seed);
  let steps = 0;
  for (const event of record({ folder, forms, sabotage })) {
    if (event.kind === 'said') {
      acknowledged.push(...event.text.trim().split('\n'));
      continue;
    }
    const disk = disks.get(event.file);
    if (!disk) continue;
    disk.pending.push(event);
    steps += 1;
    const isChecked = acknowledged.length > 0 || steps % setupStride === 0;
    for (const state of isChecked ? statesAfter([...disks.values()], random) : []) {
      const result = checkState(join(folder, 'state'), state, acknowledged);
      count.states += 1;
      if (result !== 'kept') count[result] += 1;
    }
    if (event.kind === 'sync') {
      disk.safe = applied(disk.safe, disk.pending);
      disk.pending = [];
    }
  }
  return { ...count, acknowledged: acknowledged.length };
}

function record({ folder, forms, sabotage }: PowerPlan): readonly FileEvent[] {
  const script = fileURLToPath(new URL('power-writer.js', import.meta.url));
  const trace = join(folder, 'trace');
  const words = [script, join(folder, FILES[0]), `${forms}`, ...(sabotage ? ['sabotage'] : [])];
  const traced = [...TRACE, '-o', trace, process.execPath, ...words];
  const { signal, stderr } = spawnSync('strace', traced, { encoding: 'utf8' });
  // The process kills itself after it has created all forms.
  if (signal !== 'SIGKILL') throw new Error(`no trace of a process that creates forms: ${stderr}`);
  return readTrace(readFileSync(trace, 'utf8'), FILES);
}

/**
 * Everything that may be on the disk after a step: nothing unsynced, all of it, some of it, and a write that
 * is torn.
 */
function statesAfter(disks: readonly Disk[], random: () => number): readonly (readonly Buffer[])[] {
  const choices: ((pending: readonly FileEvent[]) => readonly FileEvent[])[] = [
    () => [],
    (pending) => pending,
    (pending) => pending.filter(() => random() < 0.5),
    (pending) => pending.map((event, at) => (at === pending.length - 1 ? torn(event, random()) : event)),
  ];
  return choices.map((choose) => disks.map(({ safe, pending }) => applied(safe, choose(pending))));
}

const SECTOR = 512;

function torn(event: FileEvent, part: number): FileEvent {
  if (event.kind !== 'write') return event;
  const sectors = Math.floor((event.bytes.length / SECTOR) * part);
  return { ...event, bytes: event.bytes.subarray(0, sectors * SECTOR) };
}

function applied(safe: Buffer, events: readonly FileEvent[]): Buffer {
  let bytes = safe;
  for (const event of events) {
    if (event.kind === 'truncate') bytes = Buffer.concat([bytes, Buffer.alloc(Math.max(0, event.length - bytes.length))], event.length); // prettier-ignore
    if (event.kind !== 'write') continue;
    const next = Buffer.alloc(Math.max(bytes.length, event.at + event.bytes.length));
    bytes.copy(next);
    event.bytes.copy(next, event.at);
    bytes = next;
  }
  return bytes;
}

function checkState(
  path: string,
  state: readonly Buffer[],
  acknowledged: readonly string[],
): 'kept' | 'losing' | 'broken' {
  const [main = Buffer.alloc(0), wal = Buffer.alloc(0)] = state;
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, wal);
  rmSync(`${path}-shm`, { force: true });
  const database = openDatabaseFile(path);
  // The check only reads this copy.
  database.exec('pragma synchronous = OFF');
  try {
    const there = new Set(idsIn(database));
    return acknowledged.every((id) => there.has(id)) ? 'kept' : 'losing';
  } catch {
    return 'broken';
  } finally {
    database.close();
  }
}

function idsIn(database: SqliteDatabase): readonly string[] {
  const tables = readColumn(database, 'name', "sqlite_master where name = 'forms'");
  return tables.length === 0 ? [] : readColumn(database, 'id', 'forms').map(String);
}

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

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

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isChained, readAuditLine } from './audit-line.js';
import { reserveFileOf } from './disk-reserve.js';
import { openIfExists, readAt, readLinesBackward } from './read-backward.js';

/** Number of bytes at the start of a file in which its first record is searched. */
const START_BYTES = 262_144;

/** Maximum number of files beside the audit file that are looked at. */
const MAX_FILES = 2_000;

/**
 * Returns the audit file of a process. Each process has a separate chain: the first in the configured file, the others in files
 * beside it.
 */
export function fileOfChain(file: string, number: number): string {
  return number === 0 ? file : join(dirname(file), `worker-${number}.${basename(file)}`);
}

/** Returns the audit file, and those of the other processes of the server that exist. */
export async function chainFiles(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  const others = names.flatMap((name) => {
    const number = Number(/^worker-([1-9]\d{0,3})\./.exec(name)?.[1]);
    return name === basename(fileOfChain(file, number)) ? [number] : [];
  });
  return [0, ...others.sort((one, other) => one - other)].map((number) => fileOfChain(file, number));
}

/** A file with records of a chain. */
interface Segment {
  readonly path: string;
  /** Sequence numbers of its first and its last record. */
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the files of the chain that ends in this file, oldest first: the file, and the files beside it that were moved
 * away (`audit.log.1`, `audit.log-20261125`). Compressed files are not read. A file that starts with record 1 begins a chain,
 * so that older files belong to another chain. The file itself is left out if it was moved away and no record followed.
 */
export async function trailFiles(file: string): Promise<readonly string[]> {
  const current = await segmentOf(file);
  if (current?.first === 1) return [file];
  const beside = (await Promise.all((await filesBeside(file)).map(segmentOf))).filter(
    (found) => found !== undefined,
  );
  const older: string[] = [];
  for (let first = current?.first ?? Infinity; first > 1;) {
    const [next] = beside.filter(({ last }) => last < first).sort((one, other) => other.last - one.last);
    if (!next) break;
    older.unshift(next.path);
    ({ first } = next);
  }
  return older.length > 0 && !existsSync(file) ? older : [...older, file];
}

async function filesBeside(file: string): Promise<readonly string[]> {
  const folder = dirname(file);
  const own = basename(file);
  const names = await readdir(folder);
  return names
    .filter(
      (name) => name.startsWith(own) && name !== own && ![`${own}.key`, reserveFileOf(own)].includes(name),
    )
    .slice(0, MAX_FILES)
    .map((name) => join(folder, name));
}

/** Returns the range of records in a file; undefined for a file without records of a chain. */
async function segmentOf(path: string): Promise<Segment | undefined> {
  const file = await openIfExists(path);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const { size } = stats;
    const start = await readAt(file, 0, Math.min(START_BYTES, size));
    const first = start
      .toString('latin1')
      .split('\n')
      .map((line) => seqOf(Buffer.from(line, 'latin1')));
    const from = first.find((seq) => seq !== undefined);
    if (from === undefined) return undefined;
    for await (const { bytes } of readLinesBackward(file, size)) {
      const last = seqOf(bytes);
      if (last !== undefined) return { path, first: from, last };
    }
    return undefined;
  } finally {
    await file.close();
  }
}

function seqOf(bytes: Buffer): number | undefined {
  const record = readAuditLine(bytes);
  return record && isChained(record) ? record.seq : undefined;
}

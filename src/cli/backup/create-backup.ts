import { open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ChainHead } from '../../features/audit/chain.js';
import { isChained, readAuditLine } from '../../features/audit/trail/audit-line.js';
import { readLinesBackward } from '../../features/audit/trail/read-backward.js';
import { systemClock } from '../../lib/clock.js';
import { FULL_VERSION } from '../../lib/version.js';
import type { ConfigLoaderOptions } from '../../server/config-loader.js';
import { checkSqliteCopy, copySqlite } from '../../storage/sqlite-copy.js';
import { draftOf, type OpenFile, writeArchive } from './archive.js';
import {
  auditAndKeys,
  configFilesOf,
  DATABASE_NAME,
  type DataPlaces,
  isAuditFile,
  mainNameOf,
  type PlacedFile,
  readPlaces,
} from './contents.js';
import { FORMAT_VERSION, type BackupFacts } from './manifest.js';

/** What a backup or a restore needs, besides its file. */
export interface BackupTerms extends ConfigLoaderOptions {
  /** Replaces files that exist. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Receives the step that begins. */
  readonly onStep: (text: string) => void;
}

interface BackupResult {
  /** Number of files, without the manifest. */
  readonly files: number;
  /** Files that the configuration names and that are not in the backup. */
  readonly left: readonly string[];
  /** Number of files with secrets among the files. */
  readonly secretCount: number;
  readonly lastAuditRecord: ChainHead | undefined;
  readonly places: DataPlaces;
}

/**
 * Writes the configuration, the database, the audit trail and the keys of a server into an archive. The server may run at the same time.
 * Throws an Error with advice.
 */
export async function createBackup(file: string, terms: BackupTerms): Promise<BackupResult> {
  const { configPath, force, signal, onStep } = terms;
  const places = await readPlaces(terms);
  await stat(dirname(resolve(file)));
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere && !force) throw new Error(`${file} exists. Name another file, or replace it with --force.`);
  const config = await configFilesOf(configPath, places);
  const copy = draftOf(file);
  const opened: OpenFile[] = [];
  try {
    if (places.database !== undefined) {
      onStep(`copying the database ${places.database}`);
      copySqlite(places.database, copy);
      checkSqliteCopy(copy);
      opened.push(await openForBackup({ name: DATABASE_NAME, path: copy }));
    }
    signal.throwIfAborted();
    // After the database: each change in the copy then has its record.
    let lastAuditRecord: ChainHead | undefined;
    for (const placed of [...config.files, ...(await auditAndKeys(places))]) {
      const one = await openForBackup(placed);
      opened.push(one);
      if (!isAuditFile(placed)) continue;
      const trail = await wholeRecords(one);
      opened.splice(-1, 1, { ...one, size: trail.size });
      lastAuditRecord = trail.last;
    }
    const [database, ...others] = opened;
    // The restore reads the configuration first, and learns from it where the data belongs.
    const files = places.database === undefined || !database ? opened : [...others, database];
    onStep(`writing ${files.length} files, ${megabytes(files)}`);
    await writeArchive(file, { ...factsOf(terms, places, lastAuditRecord), files }, { force, signal });
    const { left, secretCount } = config;
    return { files: files.length, left, secretCount, lastAuditRecord, places };
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()));
    await rm(copy, { force: true });
  }
}

function factsOf(
  { configPath }: BackupTerms,
  { database, storageUrl }: DataPlaces,
  lastAuditRecord: ChainHead | undefined,
): BackupFacts {
  return {
    format: 'gatehouse backup',
    version: FORMAT_VERSION,
    gatehouse: FULL_VERSION,
    createdAt: new Date(systemClock.now()).toISOString(),
    main: mainNameOf(configPath),
    database: database !== undefined ? 'sqlite' : storageUrl.startsWith('sqlite:') ? 'memory' : 'postgres',
    ...(lastAuditRecord && { lastAuditRecord }),
  };
}

async function openForBackup({ name, path }: PlacedFile): Promise<OpenFile> {
  const handle = await open(path, 'r');
  try {
    const { size, mode, mtime: modifiedAt } = await handle.stat();
    return { name, handle, size, mode, modifiedAt };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns the length of the complete records of the audit file, and its last record. The server may be writing another one. */
async function wholeRecords({
  handle,
  size,
}: OpenFile): Promise<{ readonly size: number; readonly last: ChainHead | undefined }> {
  let end: number | undefined;
  for await (const { bytes, start } of readLinesBackward(handle, size)) {
    end ??= start + bytes.length + 1;
    const record = readAuditLine(bytes);
    if (record && isChained(record)) return { size: end, last: { seq: record.seq, hash: record.hash } };
  }
  return { size: end ?? 0, last: undefined };
}

function megabytes(files: readonly OpenFile[]): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

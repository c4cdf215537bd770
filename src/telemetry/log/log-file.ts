import {
  closeSync,
  constants,
  createWriteStream,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  createReadStream,
} from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../lib/clock.js';
import { createFolder } from '../../lib/create-folder.js';
import type { RotationSettings } from '../../settings/log.js';
import type { LineStream } from './bounded-writer.js';

const ARCHIVE_SUFFIX = /^\.(\d{8}T\d{6}\.\d{3}Z)(\.gz)?(\.\d+\.part)?$/;

interface Archive {
  readonly file: string;
  /** Time of archiving; sorts chronologically. */
  readonly stamp: string;
  readonly isPlain: boolean;
}

/**
 * Removes all but the newest archives and compresses the remaining ones. The newest archive is not
 * compressed, because another process may still write to it. Several processes may do this at the same time.
 */
async function tidyArchives(path: string, { keep, compress }: RotationSettings): Promise<void> {
  const archives = await archivesOf(path);
  const stamps = [...new Set(archives.map(({ stamp }) => stamp))].sort().reverse();
  const kept = new Set(stamps.slice(0, keep));
  for (const { file, stamp } of archives) if (!kept.has(stamp)) await rm(file, { force: true });
  if (!compress) return;
  for (const { file, stamp, isPlain } of archives)
    if (isPlain && kept.has(stamp) && stamp !== stamps[0]) await compressFile(file);
}

async function archivesOf(path: string): Promise<readonly Archive[]> {
  const [folder, base] = [dirname(path), basename(path)];
  const names = (await readdir(folder)).filter((name) => name.startsWith(base));
  return names.flatMap((name) => {
    const [, stamp, gz, part] = ARCHIVE_SUFFIX.exec(name.slice(base.length)) ?? [];
    if (stamp === undefined) return [];
    return [{ file: join(folder, name), stamp, isPlain: gz === undefined && part === undefined }];
  });
}

/**
 * Compresses a file atomically. The partial file of a killed process is removed together with the archives of
 * its time.
 */
async function compressFile(file: string): Promise<void> {
  const part = `${file}.gz.${process.pid}.part`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { mode: 0o640 }));
    await rename(part, `${file}.gz`);
    await rm(file, { force: true });
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export interface LogFileOptions {
  readonly rotation: RotationSettings | null;
  readonly clock: Clock;
  /**
   * Called with the error when a full file cannot be archived, or when archives cannot be compressed or
   * removed.
   */
  readonly failed: (error: unknown) => void;
}

/** Minimum time between two checks of the file, in milliseconds. */
const ROTATION_CHECK_MS = 100;
/** Delay before archiving is retried after a failure, in milliseconds. */
const RETRY_DELAY_MS = 60_000;
const HOUR_MS = 3_600_000;
// Non-blocking, so that a pipe without a reader does not block the server.
const APPEND_FLAGS = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;

/**
 * A log file in append mode, mode 0640, whose folder is created. The file is archived when it is full or when
 * its period has ended. Other processes may move the file at any time, for example a process that logs to the
 * same file.
 */
export class LogFile {
  readonly #path: string;
  readonly #options: LogFileOptions;
  #inode = 0;
  #nextCheckAt = -Infinity;
  #tidying: Promise<void> = Promise.resolve();

  constructor(path: string, options: LogFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Opens the file at the path. Throws on failure. */
  open(): LineStream {
    createFolder(dirname(this.#path));
    const fd = openSync(this.#path, APPEND_FLAGS, 0o640);
    const stats = fstatSync(fd);
    this.#inode = stats.ino;
    this.#nextCheckAt = this.#options.clock.now() + ROTATION_CHECK_MS;
    const stream = createWriteStream(this.#path, { fd });
    if (endsWithinLine(this.#path, stats)) stream.write('\n');
    return stream;
  }

  /** Returns true when another file must be opened for the next write. */
  needsReopen(): boolean {
    const now = this.#options.clock.now();
    // Also checks after the clock was set back.
    if (now < this.#nextCheckAt && now >= this.#nextCheckAt - RETRY_DELAY_MS) return false;
    this.#nextCheckAt = now + ROTATION_CHECK_MS;
    try {
      const stats = statSync(this.#path, { throwIfNoEntry: false });
      if (stats?.ino !== this.#inode) return true;
      if (!this.#isFull(stats, now)) return false;
      renameSync(this.#path, archiveName(this.#path, now));
    } catch (error) {
      this.#nextCheckAt = now + RETRY_DELAY_MS;
      this.#options.failed(error);
      return false;
    }
    this.#tidy();
    return true;
  }

  #isFull(stats: Stats, now: number): boolean {
    const { size, mtimeMs } = stats;
    const { rotation } = this.#options;
    if (!rotation || size === 0 || !stats.isFile()) return false;
    const { bytes, hours } = rotation;
    if (bytes !== null && size >= bytes) return true;
    // The time of the latest line determines the period of the file, across restarts and processes.
    return hours !== null && periodOf(mtimeMs, hours) < periodOf(now, hours);
  }

  #tidy(): void {
    const { rotation, failed } = this.#options;
    if (!rotation) return;
    this.#tidying = this.#tidying.then(() => tidyArchives(this.#path, rotation)).catch(failed);
  }
}

/** Returns true if the last line of a file is a part of one, because the disk was full or the process was killed. */
function endsWithinLine(path: string, stats: Stats): boolean {
  if (!stats.isFile() || stats.size === 0) return false;
  try {
    const fd = openSync(path, 'r');
    try {
      const last = Buffer.alloc(1);
      return readSync(fd, last, 0, 1, stats.size - 1) === 1 && last.toString() !== '\n';
    } finally {
      closeSync(fd);
    }
  } catch {
    // The process may be allowed to write the file and not to read it.
    return false;
  }
}

/** Returns the number of the period. Periods that divide a day start at midnight UTC. */
function periodOf(ms: number, hours: number): number {
  return Math.floor(ms / (hours * HOUR_MS));
}

/** Returns the name of an archive, which sorts by time: `gatehouse.log.20260102T030405.678Z`. */
function archiveName(path: string, now: number): string {
  return `${path}.${new Date(now).toISOString().replaceAll(/[-:]/g, '')}`;
}

import {
  constants,
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../core/lib/clock.js';
import type { RotationSettings } from '../../core/settings.js';
import type { LineStream } from './bounded-writer.js';
import { tidyArchives } from './rotation.js';

export interface LogFileOptions {
  readonly rotation: RotationSettings | null;
  readonly clock: Clock;
  /** Told what keeps a full file where it is, or old ones from being compressed or removed. */
  readonly failed: (error: unknown) => void;
}

/** Shortest time between two looks at the file, in milliseconds. */
const ROTATION_CHECK_MS = 100;
/** Time after which a file that could not be put away is tried again, in milliseconds. */
const AGAIN_MS = 60_000;
const HOUR_MS = 3_600_000;
// A pipe that nobody reads must not hold the server up.
const TO_APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;

/**
 * A file that lines are appended to: folder created, mode 0640. It is put away when it is full, or when the hours that it
 * is for have passed; and somebody else may move it away at any time, another process with the same file for example.
 */
export class LogFile {
  readonly #path: string;
  readonly #options: LogFileOptions;
  /** Number of the file that is written to. */
  #inode = 0;
  #nextLook = -Infinity;
  #tidying: Promise<void> = Promise.resolve();

  constructor(path: string, options: LogFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Opens the file at the path. Throws where that cannot be. */
  open(): LineStream {
    mkdirSync(dirname(this.#path), { recursive: true });
    const fd = openSync(this.#path, TO_APPEND, 0o640);
    this.#inode = fstatSync(fd).ino;
    this.#nextLook = this.#options.clock.now() + ROTATION_CHECK_MS;
    return createWriteStream(this.#path, { fd });
  }

  /** True when the file that was opened is no longer the one to write to. */
  isOver(): boolean {
    const now = this.#options.clock.now();
    // A clock that was set back must not keep it from looking.
    if (now < this.#nextLook && now > this.#nextLook - AGAIN_MS) return false;
    this.#nextLook = now + ROTATION_CHECK_MS;
    try {
      const found = statSync(this.#path, { throwIfNoEntry: false });
      if (found?.ino !== this.#inode) return true;
      if (!this.#isFull(found, now)) return false;
      renameSync(this.#path, archiveName(this.#path, now));
    } catch (error) {
      this.#nextLook = now + AGAIN_MS;
      this.#options.failed(error);
      return false;
    }
    this.#tidy();
    return true;
  }

  #isFull(found: Stats, now: number): boolean {
    const { size, mtimeMs } = found;
    const { rotation } = this.#options;
    if (!rotation || size === 0 || !found.isFile()) return false;
    const { bytes, hours } = rotation;
    if (bytes !== null && size >= bytes) return true;
    // The latest line tells which hours the file is for, over restarts too, and whoever wrote it.
    return hours !== null && periodOf(mtimeMs, hours) < periodOf(now, hours);
  }

  #tidy(): void {
    const { rotation, failed } = this.#options;
    if (!rotation) return;
    this.#tidying = this.#tidying.then(() => tidyArchives(this.#path, rotation)).catch(failed);
  }
}

/** Periods begin at midnight UTC where they divide a day. */
function periodOf(ms: number, hours: number): number {
  return Math.floor(ms / (hours * HOUR_MS));
}

/** Sorts by time: `gatehouse.log.20260102T030405.678Z`. */
function archiveName(path: string, now: number): string {
  return `${path}.${new Date(now).toISOString().replaceAll(/[-:]/g, '')}`;
}

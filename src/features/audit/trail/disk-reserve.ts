import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Room for audit records. */
export interface RecordRoom {
  /** Holds room. Returns false without room, and a Promise only if the room must grow. */
  hold(bytes: number): boolean | Promise<boolean>;
  /** Frees room that was held. */
  release(bytes: number): void;
  /** Gives up reserved space for a write that found the disk full. Resolves to false if none is left. */
  giveUp(bytes: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Returns the path of the file that reserves space on the disk of another file. */
export function reserveFileOf(file: string): string {
  return `${file}.reserve`;
}

/** Room in a place whose space cannot be reserved, such as a database on another machine. */
export const UNKNOWN_ROOM: RecordRoom = {
  hold: () => true,
  release: () => undefined,
  giveUp: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};

/** Size of the file at the start, and by which it grows, in bytes. */
const STEP = 262_144;
/** File systems allocate space in blocks of this size, in bytes. */
const BLOCK = 4_096;

const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Returns true for the error of a write to a full disk, or beyond the quota of the user. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL_CODES.has(error.code);
}

/**
 * Opens space on the disk of the audit trail: a file beside it, which becomes smaller when the write of a record finds the disk full.
 * The file has room for all records that are held, and grows with them. Creates a missing file; on a full disk, the file stays as large as it is.
 */
export async function openDiskReserve(path: string): Promise<RecordRoom> {
  const file = await open(path, 'a+', 0o600);
  const space = new ReservedSpace(file);
  await space.begin();
  const room = new GrowingRoom(STEP, (bytes) => space.extend(bytes));
  room.resize(space.length);
  // On a full disk, the first call waits for room.
  if (await room.hold(STEP)) room.release(STEP);
  return {
    hold: (bytes) => room.hold(bytes),
    release: (bytes) => {
      room.release(bytes);
    },
    async giveUp(bytes) {
      const freed = await space.free((Math.ceil(bytes / BLOCK) + 1) * BLOCK);
      room.resize(-freed);
      return freed > 0;
    },
    close: () => file.close(),
  };
}

/** A file that only takes up space. One change of its length at a time. */
class ReservedSpace {
  readonly #file: FileHandle;
  #length = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  get length(): number {
    return this.#length;
  }

  /** Keeps what is needed of an earlier run. */
  async begin(): Promise<void> {
    const { size } = await this.#file.stat();
    this.#length = Math.min(size, STEP);
    await this.#file.truncate(this.#length);
  }

  /** Makes the file larger. Resolves to false if the disk is full. */
  extend(bytes: number): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        // A file system that compresses would allocate no space for zeros.
        await this.#file.appendFile(randomBytes(bytes));
        this.#length += bytes;
        return true;
      } catch (error) {
        await this.#file.truncate(this.#length);
        if (isDiskFull(error)) return false;
        throw error;
      }
    });
  }

  /** Makes the file smaller. Resolves to the number of bytes by which it is. */
  free(bytes: number): Promise<number> {
    return this.#inTurn(async () => {
      const freed = Math.min(bytes, this.#length);
      this.#length -= freed;
      await this.#file.truncate(this.#length);
      return freed;
    });
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#last.then(change);
    this.#last = changed.catch(() => undefined);
    return changed;
  }
}

/**
 * Counts room that is held for things to come. Room that is missing is made in steps, once for all who wait for it.
 *
 * @example
 * ```ts
 * const room = new GrowingRoom(65_536, (bytes) => file.extend(bytes));
 * if (await room.hold(2_000)) store(thing).finally(() => room.release(2_000));
 * ```
 */
export class GrowingRoom {
  readonly #step: number;
  readonly #grow: (bytes: number) => Promise<boolean>;
  #size = 0;
  #held = 0;
  #growth: Promise<boolean> | undefined;

  /** `grow` makes room, a multiple of `step`, and resolves to false if there can be no more. */
  constructor(step: number, grow: (bytes: number) => Promise<boolean>) {
    this.#step = step;
    this.#grow = grow;
  }

  /** Holds room. Returns false without room, and a Promise only if the room must grow. */
  hold(bytes: number): boolean | Promise<boolean> {
    if (this.#held + bytes > this.#size) return this.#holdLater(bytes);
    this.#held += bytes;
    return true;
  }

  /** Frees room that was held. */
  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Adds room, or takes some away. What is held may then exceed the room, and no more is held until it has grown. */
  resize(bytes: number): void {
    this.#size += bytes;
  }

  async #holdLater(bytes: number): Promise<boolean> {
    for (;;) {
      const missing = this.#held + bytes - this.#size;
      if (missing <= 0) break;
      if (!(await (this.#growth ??= this.#growOnce(missing)))) return false;
    }
    this.#held += bytes;
    return true;
  }

  async #growOnce(missing: number): Promise<boolean> {
    const bytes = Math.ceil(missing / this.#step) * this.#step;
    try {
      const hasGrown = await this.#grow(bytes);
      if (hasGrown) this.#size += bytes;
      return hasGrown;
    } finally {
      this.#growth = undefined;
    }
  }
}

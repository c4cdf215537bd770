import { write } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import type { AuditRecord } from '../../../core/audit.js';
import { elapsedSince } from '../../../lib/clock.js';
import { CHAIN_START, chained, type ChainHead } from '../chain.js';
import { isDiskFull, type RecordRoom } from './disk-reserve.js';
import { type ChainOptions, linesOf, openChain } from './open-chain.js';

interface ChainFileOptions extends ChainOptions {
  /** Room on the disk of the file, for the records that are appended. */
  readonly room: RecordRoom;
}

/** Minimum time between two checks that the open file is still the file at its path, in milliseconds. */
const PATH_CHECK_MS = 1000;

/**
 * An audit file. Its records form a chain: the seal of a record includes the previous record. The class opens
 * the file again after a failure, if another file is at the path because the file was moved away, and if
 * another process has written to the file.
 */
export class ChainFile {
  readonly #path: string;
  readonly #options: ChainFileOptions;
  #file: FileHandle | undefined;
  #head: ChainHead = CHAIN_START;
  #size = 0;
  #checkedAt = 0;

  private constructor(path: string, options: ChainFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Opens the file. Throws an Error with advice for the operator. */
  static async open(path: string, options: ChainFileOptions): Promise<ChainFile> {
    const chain = new ChainFile(path, options);
    try {
      await chain.#open();
    } catch (cause) {
      throw openFault(path, cause);
    }
    return chain;
  }

  /** The last record of the chain. */
  get head(): ChainHead {
    return this.#head;
  }

  /**
   * Appends records. Resolves when the records are written, and synced if required. Calls must not overlap.
   */
  async append(records: readonly AuditRecord[]): Promise<void> {
    try {
      const file = this.#recent() ?? (await this.#current());
      const links = chained(records, this.#head, this.#options.key.seal);
      await this.#write(file, Buffer.from(linesOf(links)));
      if (this.#options.sync) await file.datasync();
      this.#head = links.at(-1) ?? this.#head;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * Closes the file. A failed file handle must not be used again: after a failed sync, Linux reports success
   * for the next sync although data was lost.
   */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  /** Writes lines. On a full disk, takes the room that is reserved for them. */
  async #write(file: FileHandle, lines: Buffer): Promise<void> {
    for (let at = 0; at < lines.length;)
      try {
        at += await writeFrom(file, lines, at);
      } catch (error) {
        if (!isDiskFull(error) || !(await this.#options.room.giveUp(lines.length - at))) throw error;
      }
    this.#size += lines.length;
  }

  /** Returns the open file if it was checked within {@link PATH_CHECK_MS}, as for almost every record. */
  #recent(): FileHandle | undefined {
    return elapsedSince(this.#options.clock, this.#checkedAt) < PATH_CHECK_MS ? this.#file : undefined;
  }

  async #current(): Promise<FileHandle> {
    if (this.#file && (await this.#isAtItsPath(this.#file))) return this.#file;
    await this.close();
    return this.#open();
  }

  async #open(): Promise<FileHandle> {
    const { file, head } = await openChain(this.#path, this.#options, this.#head);
    this.#file = file;
    this.#head = head;
    this.#size = (await file.stat()).size;
    this.#checkedAt = this.#options.clock.now();
    return file;
  }

  async #isAtItsPath(file: FileHandle): Promise<boolean> {
    this.#checkedAt = this.#options.clock.now();
    const [atPath, opened] = await Promise.all([stat(this.#path).catch(() => undefined), file.stat()]);
    if (atPath?.ino !== opened.ino || atPath.dev !== opened.dev) return false;
    return !opened.isFile() || opened.size === this.#size;
  }
}

/**
 * Writes bytes from an offset on, and resolves to the number of written bytes. `FileHandle.write` does the same with more
 * promises and objects for each call.
 */
function writeFrom({ fd }: FileHandle, bytes: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, from, (error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}

const RIGHTS_ADVICE =
  'Give the user of this process the right to write it, or set audit.file to another path.';
const PATH_ADVICE = 'A part of its path is a file: correct audit.file.';
const OPEN_ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: let audit.file name a file in it.',
  EACCES: RIGHTS_ADVICE,
  EPERM: RIGHTS_ADVICE,
  EROFS: 'Its file system is read-only: set audit.file to another path.',
  ENOSPC: 'The disk is full: free space.',
  ENOTDIR: PATH_ADVICE,
  EEXIST: PATH_ADVICE,
};

/** Creates the error for an audit file that cannot be opened, with advice for the operator. */
export function openFault(path: string, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const reason = code === 'unknown' && cause instanceof Error ? cause.message : code;
  const advice = OPEN_ADVICE[code] ?? 'Check audit.file.';
  return new Error(`The audit file ${path} cannot be opened (${reason}). ${advice}`, { cause });
}

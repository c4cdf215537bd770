import { type FileHandle, stat } from 'node:fs/promises';
import { CHAIN_START, chained, type ChainHead } from '../core/audit-chain.js';
import type { AuditRecord } from '../core/audit.js';
import { type ChainTerms, linesOf, openChain } from './open-chain.js';

/** Pause between checks that the open file is still the file at its path, in milliseconds. */
const LOCK_POLL_MS = 1000;

/**
 * A file to which records are appended, each sealed together with the previous one. The file is opened again
 * if another file is at its path (the file was moved away) or if another process has written to it. It is
 * also opened again after a failure.
 */
export class ChainFile {
  readonly #path: string;
  readonly #terms: ChainTerms;
  #file: FileHandle | undefined;
  #head: ChainHead = CHAIN_START;
  #size = 0;
  #lookedAt = 0;

  private constructor(path: string, terms: ChainTerms) {
    this.#path = path;
    this.#terms = terms;
  }

  /** Opens the file. Throws an Error that says what to do. */
  static async open(path: string, terms: ChainTerms): Promise<ChainFile> {
    const chain = new ChainFile(path, terms);
    try {
      await chain.#open();
    } catch (cause) {
      throw openFault(path, cause);
    }
    return chain;
  }

  /** Appends records. Resolves when they are as durable as the terms require. Calls must not overlap. */
  async append(records: readonly AuditRecord[]): Promise<void> {
    try {
      const file = await this.#current();
      const links = chained(records, this.#head, this.#terms.key.seal);
      const lines = Buffer.from(linesOf(links));
      for (let at = 0; at < lines.length;) at += (await file.write(lines, at)).bytesWritten;
      if (this.#terms.sync) await file.datasync();
      this.#head = links.at(-1) ?? this.#head;
      this.#size += lines.length;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * Closes the file. A file that failed once is not used again: after a failed sync, Linux reports success
   * for the next one, whatever was lost.
   */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  async #current(): Promise<FileHandle> {
    if (this.#file && (await this.#isAtItsPath(this.#file))) return this.#file;
    await this.close();
    return this.#open();
  }

  async #open(): Promise<FileHandle> {
    const { file, head } = await openChain(this.#path, this.#terms, this.#head);
    this.#file = file;
    this.#head = head;
    this.#size = (await file.stat()).size;
    this.#lookedAt = this.#terms.clock.now();
    return file;
  }

  async #isAtItsPath(file: FileHandle): Promise<boolean> {
    const now = this.#terms.clock.now();
    if (Math.abs(now - this.#lookedAt) < LOCK_POLL_MS) return true;
    this.#lookedAt = now;
    const [there, own] = await Promise.all([stat(this.#path).catch(() => undefined), file.stat()]);
    if (there?.ino !== own.ino || there.dev !== own.dev) return false;
    return !own.isFile() || own.size === this.#size;
  }
}

const RIGHTS = 'Give the user of this process the right to write it, or set audit.file to another place.';
const PATH = 'A part of its path is a file: correct audit.file.';
const ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: let audit.file name a file in it.',
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: 'Its file system is read-only: set audit.file to another place.',
  ENOSPC: 'The disk is full: make room.',
  ENOTDIR: PATH,
  EEXIST: PATH,
};

/** Creates the error for an audit file that cannot be opened, with advice for the operator. */
export function openFault(path: string, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const why = code === 'unknown' && cause instanceof Error ? cause.message : code;
  const advice = ADVICE[code] ?? 'Check audit.file.';
  return new Error(`The audit file ${path} cannot be opened (${why}). ${advice}`, { cause });
}

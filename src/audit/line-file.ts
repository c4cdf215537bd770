import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export interface LineFileOptions {
  /** True puts every line on the disk (fdatasync) before its append resolves. */
  readonly sync: boolean;
}

/**
 * A file that lines are appended to in the order of the calls. Lines that arrive while a write is under way share the
 * next one, and its sync. After a failure the file is opened anew, and the next line starts on a line of its own.
 */
export class LineFile {
  readonly #path: string;
  readonly #sync: boolean;
  #file: FileHandle | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  private constructor(path: string, options: LineFileOptions) {
    this.#path = path;
    this.#sync = options.sync;
  }

  /** Opens the file, creating it (0600) and its folder (0700); throws an Error that says what to do. */
  static async open(path: string, options: LineFileOptions): Promise<LineFile> {
    const lines = new LineFile(path, options);
    try {
      lines.#file = await openWhole(path, options.sync);
    } catch (cause) {
      throw new Error(openFault(path, cause), { cause });
    }
    return lines;
  }

  /** Resolves when the line is as durable as the options say. */
  append(line: string): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The audit trail is closed.'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes what waits, then closes the file; later appends are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#file ??= await openWhole(this.#path, this.#sync);
      await this.#file.appendFile(batch.map(({ line }) => `${line}\n`).join(''));
      if (this.#sync) await this.#file.datasync();
    } catch (error) {
      await this.#abandon();
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  /** A file that failed once is not trusted again: after a failed sync, Linux calls the next one good whatever was lost. */
  async #abandon(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}

/** Opens for appending and ends a last line that a crash has torn, so that the next one stands alone. */
async function openWhole(path: string, sync: boolean): Promise<FileHandle> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR, 0o600);
  try {
    if (await isTorn(file)) await file.appendFile('\n');
    if (sync) await syncBoth(file, folder);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

/** The file's name is as durable as its content only when its folder is synced too. */
async function syncBoth(file: FileHandle, folder: string): Promise<void> {
  await file.datasync();
  const directory = await open(folder, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function openFault(path: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const advice: Readonly<Record<string, string>> = {
    EISDIR: 'It is a folder: let audit.file name a file in it.',
    EACCES: 'Give the user of this process the right to write it, or set audit.file to another place.',
    EPERM: 'Give the user of this process the right to write it, or set audit.file to another place.',
    EROFS: 'Its file system is read-only: set audit.file to another place.',
    ENOSPC: 'The disk is full: make room.',
    ENOTDIR: 'A part of its path is a file: correct audit.file.',
    EEXIST: 'A part of its path is a file: correct audit.file.',
  };
  return `The audit file ${path} cannot be opened (${code}). ${advice[code] ?? 'Check audit.file.'}`;
}

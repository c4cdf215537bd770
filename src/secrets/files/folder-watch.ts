import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Scheduler } from '../../lib/clock.js';
import { stateOf } from '../../lib/file-state.js';

interface FolderWatchInput {
  readonly scheduler: Scheduler;
  /** Time between two checks without notifications, in milliseconds. Not every file system reports changes. */
  readonly pollMs: number;
  /** Called when a file may have changed, after its folder has been quiet for `QUIET_MS`. */
  readonly onChange: () => void;
}

/** Quiet time before a change is reported, in milliseconds. A rotation writes several files. */
const QUIET_MS = 500;
/** Maximum time for which changes that do not end postpone the report, in milliseconds. */
const MAX_QUIET_MS = 5_000;

/**
 * Reports changes of files. It watches their folders, not the files, so that a file is still watched after a rename, and
 * after Kubernetes has replaced the link `..data` in its folder.
 */
export class FolderWatch {
  readonly #input: FolderWatchInput;
  readonly #watchers = new Map<string, FSWatcher>();
  #files: readonly string[] = [];
  /** States of the files at the latest check, by path. */
  #states = new Map<string, string>();
  #cancelReport: (() => void) | undefined;
  /** Time of the first change that was not reported, in milliseconds since 1970. */
  #changedAt: number | undefined;
  #cancelPoll: (() => void) | undefined;
  #closed = false;

  constructor(input: FolderWatchInput) {
    this.#input = input;
    this.#pollLater();
  }

  /** Sets the absolute paths of the files. A file that is new may have changed since it was read, which is a change. */
  setFiles(files: readonly string[]): void {
    if (this.#closed) return;
    const known = new Set(this.#files);
    this.#files = [...new Set(files)];
    this.#watchFolders();
    if (this.#files.some((file) => !known.has(file))) this.#reportLater();
  }

  close(): void {
    this.#closed = true;
    this.#cancelReport?.();
    this.#cancelPoll?.();
    for (const folder of [...this.#watchers.keys()]) this.#unwatch(folder);
  }

  #reportLater(): void {
    if (this.#closed) return;
    const { scheduler } = this.#input;
    const now = scheduler.now();
    this.#changedAt ??= now;
    const delayMs = Math.max(0, Math.min(QUIET_MS, this.#changedAt + MAX_QUIET_MS - now));
    this.#cancelReport?.();
    this.#cancelReport = scheduler.after(delayMs, () => {
      this.#changedAt = undefined;
      this.#input.onChange();
    });
  }

  #pollLater(): void {
    if (this.#closed) return;
    this.#cancelPoll = this.#input.scheduler.after(this.#input.pollMs, () => {
      void this.#poll().finally(() => {
        this.#pollLater();
      });
    });
  }

  async #poll(): Promise<void> {
    const files = this.#files;
    const found = await Promise.all(files.map(async (file) => (await stateOf(file))?.text ?? ''));
    const states = new Map(files.map((file, at) => [file, found[at] ?? '']));
    const isChanged = files.some((file) => this.#states.get(file) !== states.get(file));
    this.#states = states;
    if (this.#closed) return;
    // A folder that was replaced has another watcher than the one that was opened for its name.
    if (isChanged) for (const folder of [...this.#watchers.keys()]) this.#unwatch(folder);
    this.#watchFolders();
    if (isChanged) this.#reportLater();
  }

  #watchFolders(): void {
    const folders = new Set(this.#files.map((file) => dirname(file)));
    for (const folder of [...this.#watchers.keys()]) if (!folders.has(folder)) this.#unwatch(folder);
    for (const folder of folders) this.#watchFolder(folder);
  }

  #watchFolder(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        this.#reportLater();
      });
      watcher.on('error', () => {
        this.#unwatch(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // The folder does not exist, or the system has no watchers left. The next poll tries again.
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

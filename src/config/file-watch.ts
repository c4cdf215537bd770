import { basename, dirname, join } from 'node:path';
import type { Scheduler } from '../lib/clock.js';
import { statesOf } from '../lib/file-state.js';
import { FolderWatchers } from '../lib/folder-watchers.js';
import { isAdapterFile, listAdapterFiles } from './adapter-files.js';

interface FileWatchInput {
  /** Path of the main file. The folder `adapters/` next to it is also watched. */
  readonly path: string;
  /** State of the files when they were read, from `fileStates`. */
  readonly states: string;
  /** Returns the paths of files that the configuration names, such as certificates; absent: none. */
  readonly namedFiles?: () => readonly string[];
  /** Returns the files and folders of plugins, and the names of plugins whose code has changed; absent without plugins. */
  readonly codeOnDisk?: () =>
    | Promise<{ readonly paths: readonly string[]; readonly outdated: readonly string[] }>
    | undefined;
  readonly scheduler: Scheduler;
  /** Called after a change, when the files have been quiet for `QUIET_MS`. */
  readonly onChange: () => void;
}

/** Quiet time before the files are checked, in milliseconds. Editors and tools write in several steps. */
const QUIET_MS = 500;
/**
 * Time between checks without notifications, in milliseconds. The system reports no changes on network drives
 * and in linked folders.
 */
const POLL_INTERVAL_MS = 10_000;
/** Link that Kubernetes swaps when a mounted ConfigMap changes. */
const CONFIG_MAP_LINK = '..data';

/**
 * Reports when a file of the configuration, or a file that it names, was written, replaced, added or removed. Watches
 * folders rather than files, so that a file that is replaced by a rename is still watched.
 */
export class FileWatch {
  readonly #input: FileWatchInput;
  readonly #folder: string;
  readonly #watchers = new FolderWatchers();
  #states: string;
  /** States of the named files, by path. */
  #namedStates = new Map<string, string | undefined>();
  #codePaths: readonly string[] = [];
  /** Cancels the next check; undefined while a check runs. */
  #cancelCheck: (() => void) | undefined;
  #closed = false;

  constructor(input: FileWatchInput) {
    this.#input = input;
    this.#folder = dirname(input.path);
    this.#states = input.states;
    this.#watch();
    void this.noteNamedFiles();
    // The files may have changed since they were read.
    this.#checkIn(QUIET_MS);
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cancelCheck?.();
    this.#watchers.close();
    return Promise.resolve();
  }

  #checkIn(ms: number): void {
    this.#cancelCheck?.();
    if (this.#closed) return;
    this.#cancelCheck = this.#input.scheduler.after(ms, () => {
      this.#cancelCheck = undefined;
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    const states = await fileStates(this.#input.path);
    const haveNamedChanged = await this.#checkNamed();
    const isCodeOutdated = await this.#readCode();
    if (this.#closed) return;
    this.#watch();
    if (!this.#cancelCheck) this.#checkIn(POLL_INTERVAL_MS);
    if (states === this.#states && !haveNamedChanged && !isCodeOutdated) return;
    this.#states = states;
    this.#input.onChange();
  }

  /** Notes the states of files that the configuration names since its last change, and watches them. */
  async noteNamedFiles(): Promise<void> {
    const states = await this.#statesOfNamed();
    for (const [file, state] of states) if (!this.#namedStates.has(file)) this.#namedStates.set(file, state);
    await this.#readCode();
    if (!this.#closed) this.#watch();
  }

  /** Notes the paths of the code of plugins. Returns true if the code of one has changed. */
  async #readCode(): Promise<boolean> {
    const code = await this.#input.codeOnDisk?.();
    this.#codePaths = code?.paths ?? [];
    return code !== undefined && code.outdated.length > 0;
  }

  /** Returns the paths that are watched besides the configuration. */
  #otherPaths(): readonly string[] {
    return [...this.#namedStates.keys(), ...this.#codePaths];
  }

  /** Notes the states of the named files. Returns true if a file that was named before has another state. */
  async #checkNamed(): Promise<boolean> {
    const before = this.#namedStates;
    this.#namedStates = await this.#statesOfNamed();
    return [...this.#namedStates].some(([file, state]) => before.has(file) && before.get(file) !== state);
  }

  async #statesOfNamed(): Promise<Map<string, string | undefined>> {
    const { namedFiles = () => [] } = this.#input;
    const files = [...new Set(namedFiles())];
    const states = await statesOf(files);
    return new Map(files.map((file, at) => [file, states[at]?.text]));
  }

  #watch(): void {
    const main = basename(this.#input.path);
    const adapters = join(this.#folder, 'adapters');
    const isNamed = (name: string): boolean => this.#otherPaths().some((file) => basename(file) === name);
    this.#watchFolder(this.#folder, (name) => {
      // The name may refer to a different folder now.
      if (name === 'adapters') this.#watchers.remove(adapters);
      return name === main || name === 'adapters' || isNamed(name);
    });
    this.#watchFolder(adapters, (name) => isAdapterFile(name) || isNamed(name));
    const folders = new Set(this.#otherPaths().map((file) => dirname(file)));
    for (const folder of folders) this.#watchFolder(folder, isNamed);
    this.#watchers.keep(new Set([...folders, this.#folder, adapters]));
  }

  #watchFolder(folder: string, isRelevant: (name: string) => boolean): void {
    this.#watchers.add(folder, (name) => {
      // The system reports that the folder itself was moved or removed: another folder may take its place.
      if (name === basename(folder)) this.#watchers.remove(folder);
      if (name === null || name === CONFIG_MAP_LINK || isRelevant(name)) this.#checkIn(QUIET_MS);
    });
  }
}

/**
 * Returns a fingerprint of the state of all files of a configuration, without reading them. Any change of a
 * file changes it. `atStart`: nothing else waits for this process.
 */
export async function fileStates(path: string, options?: { readonly atStart?: boolean }): Promise<string> {
  const { files } = await listAdapterFiles(join(dirname(path), 'adapters'));
  const all = [path, ...files.map(({ file }) => file)];
  const states = await statesOf(all, options);
  return JSON.stringify(all.map((file, at) => [file, states[at]?.text]));
}

import { type FSWatcher, watch } from 'node:fs';

/** Watches folders for events of the system. */
export class FolderWatchers {
  readonly #watchers = new Map<string, FSWatcher>();

  /**
   * Watches a folder unless it is watched already. `onEvent` receives the name of what changed in the folder; null if the system
   * does not report it. A folder that does not exist is not watched, and a failure ends the watch: add the folder again later.
   */
  add(folder: string, onEvent: (name: string | null) => void): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        onEvent(name);
      });
      watcher.on('error', () => {
        this.remove(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // The folder does not exist, or the system has no watchers left.
    }
  }

  remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Ends the watch of every folder that is not among these. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of [...this.#watchers.keys()]) if (!folders.has(folder)) this.remove(folder);
  }

  close(): void {
    this.keep(new Set());
  }
}

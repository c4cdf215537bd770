import { type FileHandle, open } from 'node:fs/promises';

/** What is put on the disk by file handles (fsync, fdatasync), in the order of the calls. */
export interface WatchedSyncs {
  readonly kinds: readonly ('file' | 'folder')[];
  stop(): void;
}

type Sync = (this: FileHandle) => Promise<void>;

/** Watches from now on. */
export async function watchSyncs(): Promise<WatchedSyncs> {
  const any = await open('.', 'r');
  const prototype = Object.getPrototypeOf(any) as { sync: Sync; datasync: Sync };
  await any.close();
  const { sync, datasync } = prototype;
  const kinds: ('file' | 'folder')[] = [];
  const watched = (original: Sync): Sync =>
    async function (this: FileHandle) {
      kinds.push((await this.stat()).isDirectory() ? 'folder' : 'file');
      await original.call(this);
    };
  Object.assign(prototype, { sync: watched(sync), datasync: watched(datasync) });
  return {
    kinds,
    stop: () => {
      Object.assign(prototype, { sync, datasync });
    },
  };
}

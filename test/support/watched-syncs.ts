import { type FileHandle, open } from 'node:fs/promises';

type Sync = (this: FileHandle) => Promise<void>;

/** Records the syncs of file handles (fsync, fdatasync) during some work, in the order of the calls. */
export async function watchSyncs(
  work: (kinds: readonly ('file' | 'folder')[]) => Promise<void>,
): Promise<void> {
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
  try {
    await work(kinds);
  } finally {
    Object.assign(prototype, { sync, datasync });
  }
}

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Mode and owner of a file. */
interface Permissions {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Replaces a file as a whole: a reader and a crash see the previous bytes or the new ones. Resolves when the new bytes and the
 * name are on the disk. Keeps the previous file if a write fails.
 */
export async function replaceFile(file: string, bytes: Buffer, permissions: Permissions): Promise<void> {
  // The name is hidden, so that the file is not mistaken for an adapter.
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeAndSync(await open(temporary, 'wx', 0o600), bytes, permissions);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Creates a file with mode 0600 that must not exist yet. Resolves when its bytes are on the disk. */
export async function createFile(file: string, bytes: string | Buffer): Promise<void> {
  await writeAndSync(await open(file, 'wx', 0o600), bytes);
}

/** Writes to a new file, syncs it and closes it in any case. */
export async function writeAndSync(
  handle: FileHandle,
  bytes: string | Buffer,
  permissions?: Permissions,
): Promise<void> {
  try {
    await handle.writeFile(bytes);
    // Without the right to change the owner, the current user owns the file.
    if (permissions?.uid !== undefined && permissions.gid !== undefined)
      await handle.chown(permissions.uid, permissions.gid).catch(() => undefined);
    if (permissions) await handle.chmod(permissions.mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder, so that a new name survives a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A new text for a file, and what to keep beside it. */
export interface Rewrite {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Text of `<file>.json-patch`. */
  readonly patch: string;
}

/**
 * Replaces a file in one step that survives a crash, with the rights that it had. The former text is kept in
 * `<file>.bak`, or `.bak.2` and so on where there is one already, readable for its owner alone; the change in
 * `<file>.json-patch`. Resolves to the name of the backup; throws when the file is no longer what it was.
 */
export async function rewriteFile({ file, before, after, patch }: Rewrite): Promise<string> {
  const target = await realpath(file);
  const bytes = await readFile(target);
  if (new TextDecoder().decode(bytes) !== before)
    throw new Error(`${file} has changed meanwhile; run this again`);
  const backup = await keepBackup(file, bytes);
  await replaceAtomically(`${file}.json-patch`, Buffer.from(patch), { mode: 0o600 });
  await replaceAtomically(target, Buffer.from(after), await stat(target));
  return backup;
}

async function keepBackup(file: string, bytes: Buffer): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${file}.bak` : `${file}.bak.${number}`;
    const handle = await open(name, 'wx', 0o600).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
      throw error;
    });
    if (!handle) continue;
    try {
      await fill(handle, bytes);
    } catch (error) {
      // Half a backup would be taken for a whole one.
      await rm(name, { force: true });
      throw error;
    }
    return name;
  }
}

interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

async function replaceAtomically(file: string, bytes: Buffer, rights: Rights): Promise<void> {
  // A hidden name, so that nobody takes it for an adapter.
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    await fill(handle, bytes, rights);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

async function fill(handle: FileHandle, bytes: Buffer, rights?: Rights): Promise<void> {
  try {
    await handle.writeFile(bytes);
    // Whoever may not give files away keeps them.
    if (rights?.uid !== undefined && rights.gid !== undefined)
      await handle.chown(rights.uid, rights.gid).catch(() => undefined);
    if (rights) await handle.chmod(rights.mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the new name durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { lstatSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from '../lib/create-folder.js';

/** The part of `node:module` of Node.js 22.1 and later. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** What of the environment names the folder: systemd sets the variable for `CacheDirectory=`. */
interface CacheEnv {
  readonly CACHE_DIRECTORY?: string | undefined;
  NODE_COMPILE_CACHE?: string | undefined;
}

/**
 * Keeps the compiled code of the program for the next start, also of the processes that this one starts. The code is executed as
 * it is, so its folder must belong to this user and be closed to others. Does nothing without such a folder, nor before Node.js 22.
 */
export function keepCompiledCode(
  env: CacheEnv,
  { enableCompileCache }: CompileCache = module as CompileCache,
): void {
  if (!enableCompileCache || env.NODE_COMPILE_CACHE !== undefined || !process.getuid) return;
  const uid = process.getuid();
  const folder = env.CACHE_DIRECTORY ?? join(tmpdir(), `gatehouse-${uid}`);
  if (!isPrivate(folder, uid)) return;
  enableCompileCache(folder);
  env.NODE_COMPILE_CACHE = folder;
}

/** Returns true if only the user can use a folder, which is created if it is missing. */
function isPrivate(folder: string, owner: number): boolean {
  try {
    createFolder(folder, 0o700);
    const { uid, mode } = lstatSync(folder);
    return uid === owner && (mode & 0o170077) === 0o040000;
  } catch {
    return false;
  }
}

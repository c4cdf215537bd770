import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RotationSettings } from '../../core/settings.js';

const ARCHIVE = /^\.(\d{8}T\d{6}\.\d{3}Z)(\.gz)?(\.\d+\.part)?$/;

/** A file that was put away. */
interface Archive {
  readonly file: string;
  /** When; sorts by time. */
  readonly stamp: string;
  /** True for one that is as it was. */
  readonly isPlain: boolean;
}

/**
 * Removes all but the newest files that were put away, and compresses those that stay. The newest of all stays as it is:
 * another process may still write to it. Several processes may do this at once.
 */
export async function tidyArchives(path: string, { keep, compress }: RotationSettings): Promise<void> {
  const archives = await archivesOf(path);
  const stamps = [...new Set(archives.map(({ stamp }) => stamp))].sort().reverse();
  const kept = new Set(stamps.slice(0, keep));
  for (const { file, stamp } of archives) if (!kept.has(stamp)) await rm(file, { force: true });
  if (!compress) return;
  for (const { file, stamp, isPlain } of archives)
    if (isPlain && kept.has(stamp) && stamp !== stamps[0]) await compressFile(file);
}

async function archivesOf(path: string): Promise<readonly Archive[]> {
  const [folder, base] = [dirname(path), basename(path)];
  const names = (await readdir(folder)).filter((name) => name.startsWith(base));
  return names.flatMap((name) => {
    const [, stamp, gz, part] = ARCHIVE.exec(name.slice(base.length)) ?? [];
    if (stamp === undefined) return [];
    return [{ file: join(folder, name), stamp, isPlain: gz === undefined && part === undefined }];
  });
}

/** Whole or not at all under its name; what is left half of a process that was killed goes with the others of its time. */
async function compressFile(file: string): Promise<void> {
  const part = `${file}.gz.${process.pid}.part`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { mode: 0o640 }));
    await rename(part, `${file}.gz`);
    await rm(file, { force: true });
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

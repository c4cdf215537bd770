import { constants } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { SecretFileSettings } from '../../settings/secret-files.js';
import { SecretError, type SecretErrorCode } from '../secret-error.js';
import { textOfBytes } from '../secret-value.js';

/** Content of a secret file, and what is unusual about the file. */
interface SecretFile {
  /** UTF-8 text, at least one byte. */
  readonly text: string;
  /** True if every user of the system may read the file. */
  readonly isWorldReadable: boolean;
}

/** Number of attempts while another process replaces the file or a link on its path. */
const MAX_ATTEMPTS = 3;

/**
 * Reads the file at these segments below the root. Follows links only to files below the root, and opens only regular
 * files. Throws a {@link SecretError} with a code `FILE_...`, which names the path below the root and no part of the
 * content.
 */
export async function readSecretFile(
  segments: readonly string[],
  settings: Pick<SecretFileSettings, 'root' | 'maxBytes'>,
): Promise<SecretFile> {
  for (let attempt = 1; ; attempt += 1) {
    const file = await readOnce(segments, settings);
    if (file !== 'replaced') return file;
    if (attempt === MAX_ATTEMPTS)
      throw fileError('FILE_UNREADABLE', [segments, 'changed while it was read', 'Try again.']);
  }
}

/** Reads the file; `replaced` if the path leads to another file after the file was opened. */
async function readOnce(
  segments: readonly string[],
  { root, maxBytes }: Pick<SecretFileSettings, 'root' | 'maxBytes'>,
): Promise<SecretFile | 'replaced'> {
  const path = join(root, ...segments);
  try {
    const target = await targetOf(path, { root, segments });
    // Opening a device can have effects, so the kind is checked before and after.
    assertRegular(await stat(target), segments);
    const handle = await open(target, READ_FLAGS);
    try {
      const before = await handle.stat();
      assertRegular(before, segments);
      if (before.size > maxBytes) throw tooLarge(segments, maxBytes);
      // One byte more shows that the file grew.
      const bytes = await readAtMost(handle, before.size + 1);
      const after = await handle.stat();
      const isSame = await leadsTo(before, { path: await targetOf(path, { root, segments }), target });
      const isWritten = after.mtimeMs !== before.mtimeMs || after.ctimeMs !== before.ctimeMs;
      if (!isSame || isWritten || after.size !== bytes.length) return 'replaced';
      return { text: textOf(bytes, segments), isWorldReadable: (before.mode & 0o004) !== 0 };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof SecretError ? error : systemError(error, segments);
  }
}

/** Does not wait for the writer of a FIFO, and follows no link that replaced the file. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Returns the file that a path leads to. Throws `FILE_OUTSIDE_ROOT` if it is not below the root. */
async function targetOf(
  path: string,
  { root, segments }: { readonly root: string; readonly segments: readonly string[] },
): Promise<string> {
  const [target, realRoot] = [await realpath(path), await realpath(root)];
  const below = relative(realRoot, target);
  if (below !== '' && below.split(sep)[0] !== '..' && !isAbsolute(below)) return target;
  throw fileError('FILE_OUTSIDE_ROOT', [
    segments,
    'is a link to a file outside of secrets.files.root',
    'Put the file itself below the root; links are followed only inside it.',
  ]);
}

/**
 * Returns true if a path still leads to the target, and the target to the opened file. A folder of the path that was a link to
 * another place only while the file was opened has led to another file.
 */
async function leadsTo(
  opened: { readonly dev: number; readonly ino: number },
  { path, target }: { readonly path: string; readonly target: string },
): Promise<boolean> {
  const { dev, ino } = await lstat(target);
  return path === target && dev === opened.dev && ino === opened.ino;
}

function assertRegular(
  stats: { isFile(): boolean; isDirectory(): boolean },
  segments: readonly string[],
): void {
  if (stats.isFile()) return;
  throw fileError('FILE_NOT_REGULAR', [
    segments,
    stats.isDirectory() ? 'is a folder' : 'is not a regular file',
    stats.isDirectory() ? 'Name a file in the folder.' : 'Write the secret to a regular file.',
  ]);
}

function tooLarge(segments: readonly string[], maxBytes: number): SecretError {
  return fileError('FILE_TOO_LARGE', [
    segments,
    `has more than ${maxBytes} bytes`,
    'Correct the reference, or raise secrets.files.maxBytes.',
  ]);
}

async function readAtMost(
  handle: { read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number }> },
  maxBytes: number,
): Promise<Buffer> {
  const buffer = Buffer.alloc(maxBytes);
  let length = 0;
  while (length < maxBytes) {
    const { bytesRead } = await handle.read(buffer, length, maxBytes - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function textOf(bytes: Buffer, segments: readonly string[]): string {
  if (bytes.length === 0)
    throw fileError('FILE_EMPTY', [
      segments,
      'is empty',
      'Write the value; an empty credential is never used.',
    ]);
  const text = textOfBytes(bytes);
  if (text !== undefined && !text.includes('\0')) return text;
  throw fileError('FILE_NOT_TEXT', [
    segments,
    'is not UTF-8 text',
    'Write the secret as text, or in base64 with "?encoding=base64" in the reference.',
  ]);
}

function systemError(error: unknown, segments: readonly string[]): SecretError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return fileError('FILE_NOT_FOUND', [
      segments,
      'does not exist',
      'Create the file below secrets.files.root, or correct the reference.',
    ]);
  if (code === 'EACCES' || code === 'EPERM')
    return fileError('FILE_DENIED', [
      segments,
      'must not be read by the user of the server',
      'Let the user of the server read the file and enter its folders.',
    ]);
  return fileError('FILE_UNREADABLE', [
    segments,
    `cannot be read (${code})`,
    'Check the file, and the file system that it is on.',
  ]);
}

type FileFailure = readonly [segments: readonly string[], what: string, fix: string];

function fileError(code: SecretErrorCode, [segments, what, fix]: FileFailure): SecretError {
  return new SecretError({ code, message: `The file "${segments.join('/')}" ${what}`, fix });
}

import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, link, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { packTar, type TarSource } from 'modern-tar/fs';
import { syncFolder } from '../../lib/durable-file.js';
import { errorMessage } from '../../lib/error-message.js';
import {
  type ArchivedFile,
  type Manifest,
  MANIFEST_NAME,
  parseManifest,
  type BackupFacts,
} from './manifest.js';

/** A file that is open for a backup. The backup gets its first `size` bytes, also if the file grows meanwhile. */
export interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly mode: number;
  readonly modifiedAt: Date;
}

interface WriteOptions {
  /** Replaces a file that exists. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes the files and a manifest with their SHA-256 into a new tar archive with mode 0600. The archive appears complete or not at
 * all.
 */
export async function writeArchive(
  path: string,
  { files, ...facts }: BackupFacts & { readonly files: readonly OpenFile[] },
  { force, signal }: WriteOptions,
): Promise<void> {
  const archived: ArchivedFile[] = [];
  for (const { name, size, mode, ...file } of files) {
    const sha256 = createHash('sha256');
    await pipeline(contentOf({ size, ...file }), sha256, { signal });
    archived.push({ name, size, sha256: sha256.digest('hex'), mode: mode & 0o777 });
  }
  const manifest: Manifest = { ...facts, files: archived };
  const sources: readonly TarSource[] = [
    {
      type: 'content',
      target: MANIFEST_NAME,
      content: `${JSON.stringify(manifest, null, 2)}\n`,
      mode: 0o600,
    },
    ...files.map((file, at) => sourceOf(file, archived[at]?.sha256)),
  ];
  const draft = draftOf(path);
  try {
    await pipeline(packTar(sources), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), {
      signal,
    });
    if (force) await rename(draft, path);
    else await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Returns a name for a file that will be moved to a path when it is complete: hidden, and in the same folder. */
export function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Returns a file for the archive, which fails if the content is not that of the manifest any more. */
function sourceOf({ name: target, mode, modifiedAt: mtime, ...file }: OpenFile, sha256?: string): TarSource {
  const common = { target, mtime, mode: mode & 0o777 };
  if (file.size === 0) return { ...common, type: 'content', content: '' };
  return { ...common, type: 'stream', size: file.size, content: Readable.from(contentOf(file, sha256)) };
}

/** Yields the first bytes of a file, which may be read several times. Throws an Error if they have another SHA-256. */
async function* contentOf(
  { handle, size }: Pick<OpenFile, 'handle' | 'size'>,
  sha256?: string,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size - at)), {
      position: at,
    });
    if (bytesRead === 0) throw new Error('A file became shorter while it was copied. Run the command again.');
    at += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    if (sha256 !== undefined) hash.update(bytes);
    yield bytes;
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw new Error('A file was changed while it was copied. Run the command again.');
}

/** Number of bytes per read. */
const BLOCK_BYTES = 262_144;

/** Receives the contents of an archive. */
interface ArchiveReader {
  /** Receives the manifest before the first file. */
  readonly begin: (manifest: Manifest) => Promise<void>;
  /** Returns the new file for a file of the archive; `undefined` if the file is only to be checked. */
  readonly place: (file: ArchivedFile) => Promise<string | undefined>;
}

/**
 * Reads an archive once, and writes each file to its place, with its mode and its time. Throws an Error if the archive is not complete, or
 * not as its manifest says.
 */
export async function readArchive(
  path: string,
  { begin, place }: ArchiveReader,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }), { signal })[Symbol.asyncIterator]();
  const manifest = await readManifest(await entries.next().catch(notBackup(path)), path);
  await begin(manifest);
  const missing = new Map(manifest.files.map((file) => [file.name, file]));
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const { header, body } = next.value;
    const file = missing.get(header.name);
    if (file?.size !== header.size || header.type !== 'file')
      throw damaged(`${header.name} is not as in its manifest`);
    missing.delete(file.name);
    const to = await place(file);
    const sha256 = createHash('sha256');
    await pipeline(Readable.fromWeb(body as never), hashing(sha256), sinkOf(to, file), { signal });
    if (sha256.digest('hex') !== file.sha256)
      throw damaged(`${file.name} has other content than in its manifest`);
    if (to !== undefined && header.mtime) await utimes(to, header.mtime, header.mtime);
  }
  const [lost] = missing.keys();
  if (lost !== undefined) throw damaged(`${lost} is missing`);
}

/** Creates a handler for a file that is no tar archive. */
function notBackup(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'code' in error) throw error;
    throw new Error(`${path} is not a backup of gatehouse: ${errorMessage(error)}`, { cause: error });
  };
}

function damaged(what: string): Error {
  return new Error(`The backup is damaged: ${what}. Use another backup.`);
}

/** Maximum length of the manifest, in bytes: that of a hundred thousand files. */
const MAX_MANIFEST_BYTES = 33_554_432;

async function readManifest(
  first: IteratorResult<ParsedTarEntry, undefined>,
  path: string,
): Promise<Manifest> {
  const entry = first.value;
  if (entry?.header.name !== MANIFEST_NAME || entry.header.size > MAX_MANIFEST_BYTES)
    throw new Error(`${path} is not a backup of gatehouse: it does not begin with ${MANIFEST_NAME}.`);
  return parseManifest(await new Response(entry.body).text(), path);
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

/** Creates the writer of a new file; without a path, it only takes the bytes. */
function sinkOf(path: string | undefined, { mode }: ArchivedFile): Writable {
  if (path !== undefined) return createWriteStream(path, { flags: 'wx', mode, flush: true });
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

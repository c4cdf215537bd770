import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canonicalJson } from '../../../json/canonical-json.js';
import { createFolder } from '../../../lib/create-folder.js';
import { createFile, syncFolder } from '../../../lib/durable-file.js';
import { errorMessage } from '../../../lib/error-message.js';
import { jsonValue as json } from '../../../lib/escape-unprintable.js';
import { isPrivateMode, privateModeAdvice } from '../../../lib/private-file.js';
import type { Seal } from '../chain.js';

/** Functions of an installation's audit key. Each uses HMAC-SHA256 with a different derived key. */
export interface AuditKey {
  readonly seal: Seal;
  /** Returns the digest of a state; an empty string for `undefined`. */
  readonly digest: (state: unknown) => string;
  /** Creates a digest of bytes that arrive in several parts. */
  readonly startByteDigest: () => ByteDigest;
}

/** Digest of bytes that arrive in several parts. */
export interface ByteDigest {
  readonly add: (bytes: Uint8Array) => void;
  /** Returns the length and the digest of the added bytes. */
  readonly end: () => string;
}

/** Creates an audit key from 64 hexadecimal digits. */
export function auditKey(digits: string): AuditKey {
  const deriveKey = (purpose: string): Buffer =>
    createHmac('sha256', Buffer.from(digits, 'hex')).update(`gatehouse audit ${purpose}`).digest();
  const sealText = textHmac(deriveKey('link'));
  const [states, bytes] = [createSecretKey(deriveKey('state')), createSecretKey(deriveKey('bytes'))];
  return {
    seal: (record) => sealText(sealedText(record)),
    digest: (state) =>
      state === undefined ? '' : createHmac('sha256', states).update(canonicalJson(state)).digest('hex'),
    startByteDigest: () => startDigest(bytes),
  };
}

/** Length of the blocks and of the digests of SHA-256, in bytes. */
const [BLOCK_LENGTH, DIGEST_LENGTH] = [64, 32];
/** Maximum number of bytes of UTF-8 for a unit of a string. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Creates a function that returns the HMAC-SHA256 of a text (RFC 2104) with a key of at most one block. Every audited
 * call needs one, and `createHmac` takes twice as long because it creates a stream.
 */
export function textHmac(key: Buffer): (text: string) => string {
  let inner = paddedKey(key, 0x36);
  const outer = Buffer.concat([paddedKey(key, 0x5c), Buffer.alloc(DIGEST_LENGTH)]);
  return (text) => {
    const longest = BLOCK_LENGTH + text.length * MAX_BYTES_PER_UNIT;
    if (inner.length < longest) inner = Buffer.concat([inner], longest);
    const end = BLOCK_LENGTH + inner.write(text, BLOCK_LENGTH);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_LENGTH, 'binary');
    return hash('sha256', outer, 'hex');
  };
}

/** Returns a block of the key and zeros, each byte combined with `pad`. */
function paddedKey(key: Buffer, pad: number): Buffer {
  return Buffer.alloc(BLOCK_LENGTH).map((_, at) => (key[at] ?? 0) ^ pad) as Buffer;
}

/**
 * Returns the values under the seal as JSON. A record of a version without names, addresses or reasons has the same seal
 * as before. The number of values shows which of the three are present.
 */
function sealedText(record: Parameters<Seal>[0]): string {
  const { seq, prev, time, requestId, operation, subject, issuer, target, status, outcome } = record;
  const { durationMs, before, after, name, clientAddress, reason } = record;
  let text = `[${seq},${json(prev)},${json(time)},${json(requestId)},${json(operation)},${json(subject)}`;
  text += `,${json(issuer)},${json(target)},${json(status)},${json(outcome)},${json(durationMs)}`;
  text += `,${json(before)},${json(after)}`;
  const hasAddress = clientAddress !== undefined || reason !== undefined;
  if (name !== undefined || hasAddress) text += `,${optional(name)}`;
  if (hasAddress) text += `,${optional(clientAddress)}`;
  if (reason !== undefined) text += `,${json(reason)}`;
  return `${text}]`;
}

function optional(value: string | undefined): string {
  return value === undefined ? 'null' : json(value);
}

function startDigest(key: KeyObject): ByteDigest {
  const hmac = createHmac('sha256', key);
  let length = 0;
  return {
    add(bytes) {
      hmac.update(bytes);
      length += bytes.byteLength;
    },
    end: () => `${length} bytes, ${hmac.digest('hex')}`,
  };
}

/** Returns the path of the key file, beside the audit file. */
export function keyFileOf(auditFile: string): string {
  return `${auditFile}.key`;
}

/**
 * Reads a key file with a private mode ({@link isPrivateMode}). Resolves to `undefined` if the file does not exist. Throws
 * an Error with advice for the operator.
 */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      if (!isPrivateMode(await file.stat()))
        throw new Error(`may be read or written by others. ${privateModeAdvice(path)}`);
      const digits = (await file.readFile('utf8')).trim();
      if (!/^[0-9a-f]{64}$/.test(digits))
        throw new Error('does not contain 64 hexadecimal digits. Restore the right file from a backup.');
      return digits;
    } finally {
      await file.close();
    }
  } catch (cause) {
    const code = errorCodeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const what =
      code === undefined ? errorMessage(cause) : `cannot be read (${code}). Let this process read the file.`;
    throw new Error(`The key of the audit trail, ${path}, ${what}`, { cause });
  }
}

/**
 * Creates a key and its file with mode 0600. Resolves when the file is synced. The file appears complete or
 * not at all. If two processes create the file at the same time, both use the first file.
 */
export async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    createFolder(dirname(path), 0o700);
    await createFile(draft, `${randomBytes(32).toString('hex')}\n`);
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    const code = errorCodeOf(cause);
    if (code === 'EEXIST') return;
    const advice = 'Let this process write to its folder, or set audit.file to another file.';
    throw new Error(
      `The key of the audit trail, ${path}, cannot be created (${code ?? 'unknown'}). ${advice}`,
      {
        cause,
      },
    );
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

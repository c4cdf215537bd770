import { errorMessage } from '../core/error-message.js';
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { AUDIT_FIELDS, type Seal } from '../core/audit.js';
import { canonicalJson } from '../core/canonical-json.js';
import { isPrivateMode, privateModeAdvice } from '../core/private-file.js';
import { link, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

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
  const deriveKey = (purpose: string): KeyObject =>
    createSecretKey(
      createHmac('sha256', Buffer.from(digits, 'hex')).update(`gatehouse audit ${purpose}`).digest(),
    );
  const [links, states, bytes] = [deriveKey('link'), deriveKey('state'), deriveKey('bytes')];
  return {
    seal: (record) =>
      createHmac('sha256', links)
        .update(JSON.stringify(sealedValues(record)))
        .digest('hex'),
    digest: (state) =>
      state === undefined ? '' : createHmac('sha256', states).update(canonicalJson(state)).digest('hex'),
    startByteDigest: () => startDigest(bytes),
  };
}

/**
 * Returns the values under the seal. A record of a version without names, addresses or reasons has the same seal as
 * before. The number of values tells which of the three are present.
 */
function sealedValues(record: Parameters<Seal>[0]): readonly unknown[] {
  const values = [record.seq, record.prev, ...AUDIT_FIELDS.map((field) => record[field])];
  if (record.reason !== undefined)
    return [...values, record.name ?? null, record.clientAddress ?? null, record.reason];
  if (record.clientAddress !== undefined) return [...values, record.name ?? null, record.clientAddress];
  return record.name === undefined ? values : [...values, record.name];
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
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(draft, `${randomBytes(32).toString('hex')}\n`);
    await link(draft, path);
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
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

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { chown, link, open, rename, stat, unlink, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../core/fault.js';
import { createFolder } from '../lib/create-folder.js';
import { createFile, syncFolder } from '../lib/durable-file.js';
import { isPrivateMode, privateModeAdvice } from '../lib/private-file.js';

/**
 * Reads a P-256 signing key from a PEM file with a private mode ({@link isPrivateMode}). Throws ConfigError, with the code
 * `local_key_missing` if the file does not exist.
 */
export async function readSigningKey(file: string): Promise<KeyObject> {
  const { isPrivate, pem } = await readPrivateFile(file);
  if (!isPrivate)
    throw keyFault(file, {
      code: 'local_key_mode',
      what: 'may be read or written by others',
      fix: privateModeAdvice(file),
    });
  const key = parseKey(pem);
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw keyFault(file, {
      code: 'local_key_kind',
      what: 'does not hold an EC P-256 private key as PEM',
      fix: 'Move the file away, and a new key is made; tokens that the old one signed end with it.',
    });
  return key;
}

/**
 * Creates a P-256 key and its file with mode 0600. The file appears complete or not at all. If two processes
 * create the file at the same time, both use the first file. Resolves to true if this process created the
 * file.
 */
export async function createSigningKey(file: string): Promise<boolean> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    createFolder(dirname(file), 0o700);
    await createFile(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return await publish(draft, file);
  } catch (error) {
    throw writeFault(file, error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/** Returns the name of the file with the key that a rotation replaced. */
export function previousKeyFile(file: string): string {
  return `${file}.previous`;
}

/** A key that a rotation replaced. */
export interface PreviousKey {
  readonly key: KeyObject;
  /** Time of the rotation, in milliseconds since 1970. */
  readonly rotatedAt: number;
}

/** Reads the key that the latest rotation replaced; undefined without one. Throws ConfigError. */
export async function readPreviousKey(file: string): Promise<PreviousKey | undefined> {
  const previous = previousKeyFile(file);
  try {
    const key = await readSigningKey(previous);
    return { key, rotatedAt: (await stat(previous)).mtimeMs };
  } catch (error) {
    if (error instanceof ConfigError && error.faults[0]?.code === 'local_key_missing') return undefined;
    throw error;
  }
}

/**
 * Replaces the signing key by a new one, and keeps the former as `<file>.previous`, whose time is that of the rotation. At each
 * moment the file holds a complete key. Throws ConfigError if the key cannot be read or the files cannot be written.
 */
export async function rotateSigningKey(file: string, now: Date): Promise<void> {
  await readSigningKey(file);
  const draft = `${file}.${randomUUID()}.tmp`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  try {
    await createFile(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    // The user of the server must be able to read the new key, too, if root runs the command.
    const { uid, gid } = await stat(file);
    await chown(draft, uid, gid);
    await unlink(previousKeyFile(file)).catch(() => undefined);
    await link(file, previousKeyFile(file));
    await utimes(previousKeyFile(file), now, now);
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    throw writeFault(file, error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/**
 * Links a complete draft to its final name, unless a file with that name exists. A rename would replace such
 * a file.
 */
async function publish(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(dirname(file));
  return true;
}

function writeFault(file: string, error: unknown): ConfigError {
  return keyFault(file, {
    code: 'local_key_write',
    what: `cannot be made (${errorCodeOf(error) ?? 'unknown'})`,
    fix: 'Let this process write to the folder, or set auth.local.keyFile to a file in another one.',
  });
}

async function readPrivateFile(file: string): Promise<{ isPrivate: boolean; pem: string }> {
  try {
    const handle = await open(file, 'r');
    try {
      return { isPrivate: isPrivateMode(await handle.stat()), pem: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT')
      throw keyFault(file, {
        code: 'local_key_missing',
        what: 'does not exist',
        fix: 'Start the server, which creates the key. If it runs already, restore the file, or restart the server: the tokens of the lost key then end.',
      });
    throw keyFault(file, {
      code: 'local_key_read',
      what: `cannot be read (${code ?? 'unknown'})`,
      fix: 'Let this process read the file.',
    });
  }
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function keyFault(
  file: string,
  { code, what, fix }: { readonly code: string; readonly what: string; readonly fix: string },
): ConfigError {
  const message = `the signing key of the built-in issuer ${what}`;
  return new ConfigError([{ file, line: 0, column: 0, pointer: '', code, message, fix }]);
}

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Secret } from '../../core/secret.js';

// Of this process alone, so that a fingerprint says nothing to anybody who sees it.
const KEY = randomBytes(32);

/** Stands for a value with its secrets, and for what the files hold: equal inputs, equal fingerprints (HMAC-SHA256). */
export async function fingerprintOf(value: unknown, files: readonly string[]): Promise<string> {
  const contents = await Promise.all(files.map(digestOf));
  return createHmac('sha256', KEY)
    .update(JSON.stringify([value, contents], revealSecrets))
    .digest('base64');
}

/** `JSON.stringify` has masked the value by the time it is handed in; the holder still has the original. */
function revealSecrets(this: unknown, key: string, shown: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Secret ? { secret: original.reveal() } : shown;
}

/** A file that cannot be read is told of by whoever needs it. */
async function digestOf(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64');
  } catch {
    return 'unreadable';
  }
}

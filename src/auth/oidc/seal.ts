import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../../core/secret.js';
import type { TextCipher } from '../../core/sign-in.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

// The key lives as long as the process, so that a reload does not end pending sign-ins.
const PROCESS_KEY = randomBytes(32);

/** Key material of sign-ins and sessions; absent: random bytes of this process. */
export type SealKey = Secret | Buffer | undefined;

/** Creates the cipher of pending sign-ins. Its key is derived from the key material (HKDF, RFC 5869). */
export function createStateCipher(key: SealKey): TextCipher {
  return createCipher(derivedKey(key, '', 'gatehouse sign-in'));
}

/**
 * Creates the cipher of the tokens of a session. Its key is derived from the key material and from the cookie
 * of the session, so that the database and the key material alone decrypt nothing.
 */
export function createSessionCipher(key: SealKey, cookie: string): TextCipher {
  return createCipher(derivedKey(key, cookie, 'gatehouse session'));
}

function derivedKey(key: SealKey, salt: string, purpose: string): Buffer {
  const material = key === undefined ? PROCESS_KEY : Buffer.isBuffer(key) ? key : key.reveal();
  return Buffer.from(hkdfSync('sha256', material, salt, purpose, 32));
}

/** Creates a cipher (AES-256-GCM). */
function createCipher(key: Buffer): TextCipher {
  return {
    encrypt(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv);
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const decrypted = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([decrypted, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

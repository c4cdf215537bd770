import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../../core/secret.js';

/** Authenticated encryption of texts. */
export interface StateCipher {
  /** Encrypts a text; returns base64url. */
  readonly encrypt: (text: string) => string;
  /** Returns the original text; `undefined` if the text was changed or encrypted with another key. */
  readonly decrypt: (sealed: string) => string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

// The key lives as long as the process, so that a reload does not end pending sign-ins.
const PROCESS_KEY = randomBytes(32);

/**
 * Creates a cipher (AES-256-GCM). Its key is derived from the secret (HKDF, RFC 5869). Without a secret, the
 * key is random and specific to this process.
 */
export function createStateCipher(secret: Secret | undefined): StateCipher {
  const key = secret
    ? Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'gatehouse sign-in', 32))
    : PROCESS_KEY;
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

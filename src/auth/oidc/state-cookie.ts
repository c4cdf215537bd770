import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../../core/secret.js';

/** Encryption of a text that also detects changes. */
export interface StateCookieSeal {
  /** Seals a text; returns base64url. */
  readonly close: (text: string) => string;
  /** Returns the original text; `undefined` for a text that was not sealed with this key. */
  readonly open: (sealed: string) => string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

// Shared by all loads of the configuration, so that a reload does not end pending sign-ins.
const OWN_KEY = randomBytes(32);

/**
 * Creates a seal (AES-256-GCM). Its key is derived from the secret (HKDF, RFC 5869), or is specific to this
 * process.
 */
export function createSeal(secret: Secret | undefined): StateCookieSeal {
  const key = secret
    ? Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'gatehouse sign-in', 32))
    : OWN_KEY;
  return {
    close(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv);
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const shown = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([shown, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

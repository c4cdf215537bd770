import { isBase64 } from '../lib/base64.js';

/** Plain value of a secret as its store has it. It is never searched for references. */
export type SecretValue = string | number | boolean;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the UTF-8 text of bytes; undefined if they are not UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the UTF-8 text that base64 encodes (RFC 4648 section 4); undefined for any other text. */
export function textOfBase64(base64: string): string | undefined {
  return isBase64(base64) ? textOfBytes(Buffer.from(base64, 'base64')) : undefined;
}

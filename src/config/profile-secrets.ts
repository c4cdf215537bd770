import type { LocatedFault } from '../core/fault.js';
import { pointerTokens, stringsOf } from '../json/pointer.js';

/** Names of members that hold a secret, in any block. */
const SECRET_NAMES =
  /(?:password|passwd|passphrase|secret|secret_?id|token|api_?key|private_?key|community)$/i;

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@:]*:[^/\s@]+@/i;

/**
 * Texts that are not secret. `public` is the default community string of every device, which is publicly
 * known.
 */
const PUBLIC_TEXTS = new Set(['', 'public']);

/** Returns a fault for each plaintext secret of a profile: at `secretPointers`, or revealed by its name or form. */
export function plaintextSecrets(
  profile: unknown,
  secretPointers: readonly string[],
): readonly LocatedFault[] {
  const marked = new Set(secretPointers);
  return stringsOf(profile)
    .filter(
      ({ pointer, text }) =>
        !PUBLIC_TEXTS.has(text) && (marked.has(pointer) || indicatesSecret(pointer, text)),
    )
    .map(({ pointer }) => ({
      pointer,
      code: 'profile_secret',
      message: 'holds a secret, which a profile does not store',
      fix: 'Remove it: this server does not use it. Store secrets of adapters in Vault, and refer to them in the adapters.',
    }));
}

/** Returns true for a text whose name or form reveals that it is a secret. */
export function indicatesSecret(pointer: string, text: string): boolean {
  const name = pointerTokens(pointer).at(-1) ?? '';
  return SECRET_NAMES.test(name) || PRIVATE_KEY.test(text) || URL_WITH_PASSWORD.test(text);
}

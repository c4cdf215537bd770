import type { LocatedFault } from '../core/fault.js';
import { pointerTokens, stringsOf } from '../core/pointer.js';

/** Members that hold a secret, whatever block they stand in. */
const NAMES = /(?:password|passwd|passphrase|secret|secret_?id|token|api_?key|private_?key|community)$/i;

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@:]*:[^/\s@]+@/i;

/** Every device has this community string until somebody sets one: it is known to all. */
const KNOWN_TO_ALL = new Set(['', 'public']);

/** The secrets that stand in a profile in plain text, `places` and those that their names or looks give away. */
export function plaintextSecrets(profile: unknown, places: readonly string[]): readonly LocatedFault[] {
  const marked = new Set(places);
  return stringsOf(profile)
    .filter(
      ({ pointer, text }) => !KNOWN_TO_ALL.has(text) && (marked.has(pointer) || tellsSecret(pointer, text)),
    )
    .map(({ pointer }) => ({
      pointer,
      code: 'profile_secret',
      message: 'holds a secret, which a profile does not keep',
      fix: 'Leave it out: this server does not use it. Secrets of adapters stand in Vault, and adapters refer to them.',
    }));
}

/** True for a text whose name or look gives away that it is a secret. */
export function tellsSecret(pointer: string, text: string): boolean {
  const name = pointerTokens(pointer).at(-1) ?? '';
  return NAMES.test(name) || PRIVATE_KEY.test(text) || URL_WITH_PASSWORD.test(text);
}

import { randomBytes } from 'node:crypto';
import type { SecretSource } from '../../vault/open-secrets.js';

/** Answers every reference with a random text, for `check`: nothing is read, and no rule about strength is broken. */
export const placeholderSecrets: Pick<SecretSource, 'resolve' | 'close'> = {
  resolve: (references) =>
    Promise.resolve(
      new Map(references.map(({ pointer }) => [pointer, { value: randomBytes(64).toString('base64url') }])),
    ),
  close: () => Promise.resolve(),
};

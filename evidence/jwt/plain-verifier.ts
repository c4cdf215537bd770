import jwt from 'jsonwebtoken';
import { Problem } from '../../src/core/problem.js';
import type { Judges } from './measure.js';

/** A verifier that passes the token to the library with the key of its issuer, without checks of our own. */
export const plainVerifier: Judges['verifierOf'] = (issuers, clock) => ({
  verify(token) {
    const claims = jwt.decode(token) as { readonly iss?: string } | null;
    const idp = issuers.find(({ settings }) => settings.issuer === claims?.iss) ?? issuers[0]!;
    try {
      jwt.verify(token, idp.publicKey, { clockTimestamp: Math.floor(clock.now() / 1000) });
    } catch (error) {
      throw new Problem('unauthorized', 'no', { cause: error });
    }
    return { subject: 'somebody', issuer: idp.settings.issuer, roles: [], expiresAt: 4e9 };
  },
});

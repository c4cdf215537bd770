import type { Clock } from '../core/lib/clock.js';
import type { Logins, RequestHead, CredentialScheme } from '../core/login.js';
import { LOCAL_ISSUER, type Principal, type TokenVerifier } from '../core/principal.js';
import { Problem } from '../core/problem.js';

import { presented } from './extract-credentials.js';
import { unauthorized } from './unauthorized.js';

/** What tells who sends a request: the parts of one load of the configuration. */
export interface Authorities {
  readonly verifier: TokenVerifier;
  readonly logins: Logins;
  readonly clock: Clock;
}

/** Styles that stand in the header alone. */
export const HEADER_STYLES: readonly CredentialScheme[] = ['bearer', 'basic'];

/**
 * Tells who sends a request, by a style that is accepted and is among `styles`. Throws `unauthorized`, `csrf_refused`,
 * `too_many_requests` or `login_busy`.
 */
export async function authenticate(
  head: RequestHead,
  { verifier, logins, clock }: Authorities,
  styles?: readonly CredentialScheme[],
): Promise<Principal> {
  const accept = styles ? new Set(styles.filter((style) => logins.accept.has(style))) : logins.accept;
  const found = presented(head, accept);
  if ('token' in found) return verifier.verify(found.token);
  const attempt = { ...found.credentials, address: head.address, kinds: ['user', 'client'] as const };
  const { name, roles } = await logins.logIn(attempt).catch(asUnauthorized);
  // Each call shows the password anew: it is known for now, and no longer.
  return { subject: name, issuer: LOCAL_ISSUER, roles, expiresAt: Math.floor(clock.now() / 1000) };
}

/** One answer to whatever shows nobody; the reason is its cause. */
function asUnauthorized(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'invalid_credentials') throw error;
  throw unauthorized(new Error(error.extras.outcome ?? error.message));
}

import type { CallerIdentity, TokenVerifier } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { SignInFailure, type SignInTokens, withCaller } from '../../core/sign-in.js';
import { readToken } from '../token.js';
import type { TokenSet } from './client-types.js';

interface TokenVerifiers {
  /** Verifier of the tokens of all requests. A token that it rejects is useless to a browser. */
  readonly gate: TokenVerifier;
  /** Verifier of the id tokens of this issuer for this client. */
  readonly idTokens: TokenVerifier;
  readonly clientId: string;
}

/** A token that requests may use, and its principal. */
type VerifiedToken = Pick<SignInTokens, 'token' | 'principal'>;

/**
 * Chooses the browser's token from the response of a token endpoint. An id token must be valid for this
 * client; the client of the provider requires one at a sign-in. The choice is the access token if the verifier of requests accepts it, and the id token otherwise,
 * because some providers issue access tokens for other services. A token with roles takes precedence over a
 * token without roles. Throws `not_accepted` if the verifier accepts neither token.
 */
export async function chooseToken(
  tokens: TokenSet,
  issuer: string,
  verifiers: TokenVerifiers,
): Promise<SignInTokens> {
  const { idToken, accessToken, refreshToken } = tokens;
  const { sid, caller } = idToken === undefined ? {} : await checkIdToken(idToken, verifiers);
  const results = await Promise.all([
    tryToken(accessToken, issuer, verifiers),
    ...(idToken === undefined ? [] : [tryToken(idToken, issuer, verifiers)]),
  ]);
  const accepted = results.flatMap((result) => ('token' in result ? [result] : []));
  const chosen = accepted.find(({ principal }) => principal.roles.length > 0) ?? accepted[0];
  if (chosen)
    return {
      ...chosen,
      ...(idToken !== undefined && { idToken }),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(sid !== undefined && { sid }),
    };
  const [access, id] = results.map((result) => ('reason' in result ? result.reason : ''));
  const reasons = `neither the access token (${access ?? ''}) nor the id token (${id ?? 'missing'})`;
  throw withCaller(notAccepted(`the verifier accepts ${reasons}`), caller);
}

/**
 * Validates an id token, and returns its `sid` and the caller. The client has checked the claims (OpenID Connect Core 1.0, section
 * 3.1.3.7); this function checks the signature and the authorized party.
 */
async function checkIdToken(
  idToken: string,
  { idTokens, clientId }: TokenVerifiers,
): Promise<{ readonly sid?: string; readonly caller: CallerIdentity }> {
  const caller = await verifyIdToken(idToken, idTokens);
  const { azp, sid } = readToken(idToken, idToken.length).payload;
  if (azp !== undefined && azp !== clientId) throw notAccepted('the id token is for another party');
  return typeof sid === 'string' ? { sid, caller } : { caller };
}

async function verifyIdToken(idToken: string, idTokens: TokenVerifier): Promise<CallerIdentity> {
  try {
    return await idTokens.verify(idToken);
  } catch (error) {
    // A token that cannot be checked is not the fault of the person.
    if (error instanceof Problem && error.code === 'issuer_unavailable')
      throw new SignInFailure('issuer_unavailable', reasonOf(error));
    throw notAccepted(`the id token: ${reasonOf(error)}`);
  }
}

async function tryToken(
  token: string,
  issuer: string,
  { gate }: TokenVerifiers,
): Promise<VerifiedToken | { readonly reason: string }> {
  try {
    const principal = await gate.verify(token);
    return principal.issuer === issuer ? { token, principal } : { reason: 'from another issuer' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/**
 * Returns the reason of a rejection, which is the cause of the error. The message of the error is the same
 * for all rejections.
 */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : 'unknown';
}

export function notAccepted(message: string): SignInFailure {
  return new SignInFailure('not_accepted', message);
}

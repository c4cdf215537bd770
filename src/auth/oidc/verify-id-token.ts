import type { JsonObject } from '../../core/json-object.js';
import type { Principal, TokenVerifier } from '../../core/principal.js';
import { SignInFailure } from '../../core/sign-in.js';
import { readToken } from '../token.js';
import { type Flow, isSame } from './flow.js';

/** Who judges the tokens of one issuer. */
export interface IdTokenVerifiers {
  /** The judge of all requests: what it does not accept is of no use to a browser. */
  readonly gate: TokenVerifier;
  /** Accepts id tokens that this issuer made for us. */
  readonly idTokens: TokenVerifier;
  readonly clientId: string;
}

/** A token that requests can show, and whose it is. */
export interface VerifiedIdToken {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Chooses among the tokens of a token endpoint's answer. The id token must prove that it was made for this sign-in. What the
 * browser gets is the access token where the gate accepts it, as from any caller; else the id token, where the gate accepts
 * that: at some providers access tokens are for others. One with roles goes before one without. Throws `not_accepted`.
 */
export async function createIdTokenVerifiers(
  answer: JsonObject,
  flow: Flow,
  judges: IdTokenVerifiers,
): Promise<VerifiedIdToken> {
  const { id_token: idToken, access_token: accessToken } = answer;
  if (typeof idToken !== 'string') throw refused('the answer has no id_token');
  await checkIdToken(idToken, flow, judges);
  const verdicts = await Promise.all([
    validateIdToken(accessToken, flow, judges),
    validateIdToken(idToken, flow, judges),
  ]);
  const accepted = verdicts.flatMap((verdict) => ('token' in verdict ? [verdict] : []));
  const best = accepted.find(({ principal }) => principal.roles.length > 0) ?? accepted[0];
  if (best) return best;
  const [access, id] = verdicts.map((verdict) => ('reason' in verdict ? verdict.reason : ''));
  throw refused(`the gate takes neither the access token (${access ?? ''}) nor the id token (${id ?? ''})`);
}

/** OpenID Connect Core 1.0, section 3.1.3.7. */
async function checkIdToken(
  idToken: string,
  flow: Flow,
  { idTokens, clientId }: IdTokenVerifiers,
): Promise<void> {
  try {
    await idTokens.verify(idToken);
  } catch (error) {
    throw refused(`the id token: ${reasonOf(error)}`);
  }
  const { nonce, azp } = readToken(idToken).payload;
  if (typeof nonce !== 'string' || !isSame(nonce, flow.nonce))
    throw refused('the id token has another nonce');
  if (azp !== undefined && azp !== clientId) throw refused('the id token is for another party');
}

async function validateIdToken(
  token: unknown,
  { issuer }: Flow,
  { gate }: IdTokenVerifiers,
): Promise<VerifiedIdToken | { readonly reason: string }> {
  if (typeof token !== 'string') return { reason: 'there is none' };
  try {
    const principal = await gate.verify(token);
    return principal.issuer === issuer ? { token, principal } : { reason: 'it is of another issuer' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** The gate says one thing to all, and the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : 'unknown';
}

function refused(message: string): SignInFailure {
  return new SignInFailure('not_accepted', message);
}

import type { JsonObject } from '../json/json-object.js';
import type { IssuerRules } from './issuer.js';
import { RejectedToken } from './rejected-token.js';
import type { UnverifiedToken } from './token.js';

/** Claim `typ` of Keycloak tokens that are not access tokens, in lower case. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  'refresh',
  'offline',
  'logout',
  'logout+jwt',
  'serialized-id',
  'initialaccesstoken',
  'registrationaccesstoken',
]);

/** Claim `typ` (Keycloak) or `token_use` (Amazon Cognito) of access tokens, in lower case. */
const ACCESS_TYPES: ReadonlySet<unknown> = new Set(['bearer', 'access']);

/** Claims that only an ID token has (OpenID Connect Core 1.0, sections 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Throws a RejectedToken unless the token is an access token that any holder may use. An ID token is accepted if the
 * rules of the issuer allow it.
 */
export function checkTokenType(
  { isAccessToken, payload }: UnverifiedToken,
  { acceptIdTokens = false }: IssuerRules,
): void {
  // A client that shows a bound token must also prove its key (RFC 9449, RFC 8705).
  if (payload['cnf'] !== undefined)
    throw new RejectedToken(
      'bound',
      'the token is bound to a key of the client (cnf), which is not supported',
    );
  const types = [payload['typ'], payload['token_use']].map(lowerCase);
  if (payload['events'] !== undefined || types.some((type) => OTHER_TYPES.has(type)))
    throw new RejectedToken('type', 'the claims are those of a refresh token or a logout token');
  if (acceptIdTokens || !isIdToken(payload, types, isAccessToken)) return;
  throw new RejectedToken('type', 'the claims are those of an ID token, and acceptIdTokens is not set');
}

function isIdToken(payload: JsonObject, types: readonly unknown[], isAccessToken: boolean): boolean {
  if (types.includes('id')) return true;
  if (isAccessToken || types.some((type) => ACCESS_TYPES.has(type))) return false;
  return ID_TOKEN_CLAIMS.some((name) => payload[name] !== undefined);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

import { unauthorized } from './unauthorized.js';

// RFC 6750 section 2.1: the scheme (any case, RFC 9110 section 11.1), one space, b64token.
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The token of a request's Authorization header (RFC 6750), the only place where one is looked for.
 * Throws `unauthorized` unless there is exactly one such header and it holds exactly one token.
 */
export function bearerToken(rawAuthorization: readonly string[] | string | undefined): string {
  const values = typeof rawAuthorization === 'string' ? [rawAuthorization] : (rawAuthorization ?? []);
  if (values.length !== 1) throw unauthorized(new Error(`${values.length} authorization headers`));
  const token = BEARER.exec(values[0] ?? '')?.[1];
  if (token === undefined) throw unauthorized(new Error('the authorization header is not "Bearer <token>"'));
  return token;
}

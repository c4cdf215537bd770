// RFC 6750 section 2.1: the scheme in any case (RFC 9110 section 11.1), one space, b64token.
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Returns the token of an Authorization header (RFC 6750); undefined if it does not have the scheme Bearer and one token. */
export function readBearer(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

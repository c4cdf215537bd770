const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns the URL if keys may be fetched from it: https, or http to this host, and without credentials. */
export function keyUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return safe && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * Returns the URL of an issuer's metadata (OpenID Connect Discovery 1.0, section 4); `undefined` if keys may
 * not be fetched from it.
 */
export function discoveryUrl(issuer: string): string | undefined {
  const url = keyUrl(issuer);
  if (url?.search !== '' || url.hash !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A URL that keys may be fetched from: https, or http to this very machine, and without credentials in it. */
export function keyUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return safe && url.username === '' && url.password === '' ? url : undefined;
}

/** Where an issuer publishes its metadata (OpenID Connect Discovery 1.0, section 4); `undefined` when it is no URL for keys. */
export function discoveryUrl(issuer: string): string | undefined {
  const url = keyUrl(issuer);
  if (url?.search !== '' || url.hash !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

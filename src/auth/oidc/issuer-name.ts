import { keyUrl } from '../fetch-keys.js';

/** Maximum length of an issuer in a message, in characters. */
const SHOWN_LENGTH = 300;

/** Returns true if a message may contain the issuer that a server names: a URL of usual length. */
export function isShownIssuer(named: unknown): named is string {
  return typeof named === 'string' && named.length <= SHOWN_LENGTH && keyUrl(named) !== undefined;
}

/**
 * Returns the difference between two issuers in words, for example `the trailing slash`. Both are URLs. Issuers
 * are compared character by character (OpenID Connect Discovery 1.0, section 4.3).
 */
export function issuerDifference(configured: string, named: string): string {
  const [ours, theirs] = [new URL(configured), new URL(named)];
  if (configured.replace(/\/$/, '') === named.replace(/\/$/, '')) return 'the trailing slash';
  const parts: readonly (readonly [string, boolean])[] = [
    ['http instead of https', ours.protocol === 'http:' && theirs.protocol === 'https:'],
    ['https instead of http', ours.protocol === 'https:' && theirs.protocol === 'http:'],
    ['the host', ours.hostname !== theirs.hostname],
    ['the port', ours.hostname === theirs.hostname && ours.port !== theirs.port],
    [pathDifference(ours.pathname, theirs.pathname), ours.pathname !== theirs.pathname],
  ];
  const differing = parts.flatMap(([name, differs]) => (differs ? [name] : []));
  return differing.length === 0 ? 'the spelling' : differing.join(' and ');
}

function pathDifference(ours: string, theirs: string): string {
  const [ourRealm, theirRealm] = [realmOf(ours), realmOf(theirs)];
  return ourRealm !== undefined && theirRealm !== undefined && ourRealm !== theirRealm
    ? 'the realm'
    : 'the path';
}

/** Returns the realm in the path of a Keycloak issuer; `undefined` for any other path. */
export function realmOf(pathname: string): string | undefined {
  return /\/realms\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/**
 * Returns other spellings under which operators often find the issuer: the other scheme, the path `/auth` of
 * Keycloak before version 17, and the suffix `/v2.0` of Microsoft Entra ID. Omits unsafe URLs.
 */
export function otherSpellings(issuer: string): readonly string[] {
  const url = new URL(issuer);
  const withPath = (pathname: string): string => url.origin + pathname.replace(/\/$/, '');
  const candidates = [
    issuer.replace(/^https?:/, url.protocol === 'https:' ? 'http:' : 'https:'),
    ...(url.pathname.startsWith('/realms/') ? [withPath(`/auth${url.pathname}`)] : []),
    ...(url.pathname.startsWith('/auth/realms/') ? [withPath(url.pathname.slice('/auth'.length))] : []),
    ...(url.pathname.includes('/v2.0') ? [] : [withPath(`${url.pathname.replace(/\/$/, '')}/v2.0`)]),
  ];
  return candidates.filter((candidate) => keyUrl(candidate) !== undefined);
}

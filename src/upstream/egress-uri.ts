import { isIPv4, isIPv6 } from 'node:net';
import { Problem } from '../core/problem.js';
import { HOST_NAME } from './egress-policy.js';
import { characterFault, encodeQuery } from './encode-query.js';

/** A parsed URI that every URL parser reads in the same way. */
export interface EgressTarget {
  readonly url: string;
  readonly origin: string;
  readonly secure: boolean;
  /** Host name or address in lower case, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const MAX_URI_LENGTH = 8192;

/** RFC 3986 `absolute-URI` with an authority, but without userinfo. */
const URI_GRAMMAR = /^(https?):\/\/(\[[^\]]*\]|[^/?#:@[\]]*)(?::([^/?#@]*))?(\/[^?#]*)?(\?[^#]*)?$/i;
const NO_URI_CHARACTER = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]/u;

/**
 * Parses a caller's URI. Throws `invalid_uri` for anything that a URL parser would repair or reinterpret, so
 * that the called URI is the written one, except for characters of the query that {@link encodeQuery} encodes.
 */
export function parseEgressUri(text: string): EgressTarget {
  const uri = encodeQuery(text);
  const written = splitUri(uri);
  const fault =
    hostFault(written.host) ?? portFault(written.port) ?? bracketFault(written.path + written.query);
  if (fault !== undefined) throw invalidUri(fault);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || !isSame(url, written)) throw invalidUri('is changed by URL parsers');
  return {
    url: url.href,
    origin: url.origin,
    secure: written.secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(written.port ?? (written.secure ? 443 : 80)),
  };
}

interface UriParts {
  readonly secure: boolean;
  readonly host: string;
  readonly port: string | undefined;
  readonly path: string;
  readonly query: string;
}

function splitUri(uri: string): UriParts {
  const fault = textFault(uri);
  if (fault !== undefined) throw invalidUri(fault);
  const found = URI_GRAMMAR.exec(uri);
  if (!found)
    throw invalidUri('must look like http://host/path or https://host:port/path, without credentials');
  const [, scheme = '', host = '', port, path = '', query = ''] = found;
  return { secure: scheme.toLowerCase() === 'https', host, port, path, query };
}

const HOST_ADVICE = ', and write host names in ASCII (xn--)';

function textFault(uri: string): string | undefined {
  if (uri.length > MAX_URI_LENGTH) return `is longer than ${MAX_URI_LENGTH} characters`;
  if (uri.includes('#')) return 'must not have a fragment; write a literal "#" as %23';
  const [character] = NO_URI_CHARACTER.exec(uri) ?? [];
  if (character !== undefined && character > '~') return `${characterFault(character)}${HOST_ADVICE}`;
  if (character !== undefined) return characterFault(character);
  if (/%(?![0-9A-Fa-f]{2})/.test(uri)) return 'has a "%" without two hexadecimal digits after it';
  return undefined;
}

function hostFault(host: string): string | undefined {
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1)) ? undefined : 'has an invalid IPv6 address';
  if (isIPv4(host)) return undefined;
  return HOST_NAME.test(host) ? undefined : 'has a host that is neither a name nor an address';
}

function portFault(port: string | undefined): string | undefined {
  if (port === undefined) return undefined;
  const valid = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535;
  return valid ? undefined : 'has a port that is not between 1 and 65535';
}

function bracketFault(place: string): string | undefined {
  return /[[\]]/.test(place) ? 'has a "[" or "]" after the host; write %5B or %5D' : undefined;
}

/**
 * Returns true if the URL parser preserved the written URI: no other host (127.1, 0x7f000001), no resolved
 * dots in the path.
 */
function isSame(url: URL, { host, path, query }: UriParts): boolean {
  const sameHost = host.startsWith('[') || url.hostname === host.toLowerCase();
  const samePath = url.pathname === (path || '/') && url.search === (query === '?' ? '' : query);
  return sameHost && samePath;
}

function invalidUri(fault: string): Problem {
  return new Problem('invalid_uri', `the URI ${fault}`, { errors: [{ pointer: '/uri', message: fault }] });
}

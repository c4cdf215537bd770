import { Problem } from '../core/problem.js';
import { characterFault, encodeQuery } from './encode-query.js';

/** An adapter's base URL: the only target that may receive its credentials. */
export interface BaseUrl {
  /** Scheme, host and port, serialized according to the URL standard. */
  readonly origin: string;
  /** Empty, or starting with `/` and not ending with it. */
  readonly path: string;
}

/**
 * Parses a base URL: http or https, no credentials, query or fragment. Throws a `TypeError` that describes
 * the fault.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const written = /^(https?):\/\/([^/?#\\@\s]+)(\/[^?#]*)?$/i.exec(text);
  if (!written || !URL.canParse(text))
    throw new TypeError('is not an http or https URL without credentials, query and fragment');
  const path = (written[3] ?? '').replace(/\/+$/, '');
  const fault = path === '' ? undefined : pathFault(path);
  if (fault !== undefined) throw new TypeError(`its path ${fault}`);
  return { origin: new URL(text).origin, path };
}

/**
 * Returns the absolute URL for a path and query below the base, exactly as written except for characters of the query that
 * {@link encodeQuery} encodes. Throws `invalid_path` for anything that an orchestrator could interpret as another location.
 */
export function confine(base: BaseUrl, path: string): string {
  const plain = base.path + path;
  if (path.startsWith('/') && plain.length <= MAX_PATH_LENGTH && PLAIN_TARGET.test(plain))
    return base.origin + plain;
  const fault = pathFault(path);
  if (fault !== undefined) throw invalidPath(fault);
  const url = base.origin + base.path + encodeQuery(path);
  // The grammar should leave nothing for the URL parser to change; any change is refused.
  if (!URL.canParse(url) || new URL(url).href !== url) throw invalidPath('is changed by URL parsers');
  return url;
}

/**
 * A path, and possibly a query, that every reader understands alike: no segment is empty or begins with a dot, and no
 * character is encoded. The checks below have nothing to find in it, and most paths are so.
 */
const PLAIN_TARGET = /^(?:\/[A-Za-z0-9_-][\w.:=,~-]*)+\/?(?:\?[\w.:=,~&/-]*)?$/;

function invalidPath(fault: string): Problem {
  return new Problem('invalid_path', `the path ${fault}`, {
    errors: [{ pointer: '/params/path', message: fault }],
  });
}

const MAX_PATH_LENGTH = 8192;

/**
 * Rounds of decoding that must not change the meaning of a segment; upstreams decode once, sometimes twice.
 */
const MAX_DECODINGS = 4;

/** Anything but `pchar`, `/` and `?` of RFC 3986. */
const NO_PATH_CHARACTER = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/u;

/**
 * Returns the fault of a path and query that must stay below a base URL, or `undefined`. A valid path means
 * the same to every reader: after repeated decoding, without `;parameters`, in compatibility form (NFKC), and
 * with `\` read as `/`, no segment consists of dots only.
 */
export function pathFault(path: string): string | undefined {
  return startFault(path) ?? segmentsFault(path) ?? characterFaultOf(path);
}

function segmentsFault(path: string): string | undefined {
  return firstFault(path.split('?', 1).join('').split('/').slice(1), segmentFault);
}

function startFault(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  if (/^https?:\/\//i.test(path))
    return 'must start with "/": leave out what the base URL of the adapter has, scheme and host included';
  if (!path.startsWith('/')) return 'must start with "/"';
  if (path.startsWith('//')) return 'must start with one "/" only: "//" names another host';
  if (path.includes('#')) return 'must not have a fragment; write a literal "#" as %23';
  return undefined;
}

function characterFaultOf(path: string): string | undefined {
  const [character] = NO_PATH_CHARACTER.exec(encodeQuery(path)) ?? [];
  if (character !== undefined) return characterFault(character);
  if (/%(?![0-9A-Fa-f]{2})/.test(path))
    return 'has a "%" without two hexadecimal digits after it; write a literal "%" as %25';
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  let text = segment;
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    const decoded = decodeOnce(text);
    if (decoded === undefined) return 'has percent-encoded bytes that are not UTF-8';
    const compatible = decoded.normalize('NFKC');
    const fault = decodedFault(decoded) ?? decodedFault(compatible);
    if (fault !== undefined || compatible === text) return fault;
    text = compatible;
  }
  return undefined;
}

/**
 * Decodes one round of percent-encoding and keeps a stray `%`. Returns `undefined` for bytes that are not
 * UTF-8.
 */
function decodeOnce(text: string): string | undefined {
  try {
    return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent);
  } catch {
    return undefined;
  }
}

function decodedFault(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'has a control character, which no orchestrator needs';
  if (text.includes('\\')) return 'has a backslash, which some servers read as "/"';
  return firstFault(text.split('/'), partFault);
}

function partFault(part: string): string | undefined {
  const visible = part.replace(/;.*/s, '').replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  return /^\.+$/.test(visible) ? 'has a part of dots alone, which could leave the base URL' : undefined;
}

function firstFault(
  texts: readonly string[],
  faultOf: (text: string) => string | undefined,
): string | undefined {
  for (const text of texts) {
    const fault = faultOf(text);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

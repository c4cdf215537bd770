import { decodeUri } from '../../lib/decode-uri.js';
/** Segments of a path, for comparison. */
export type PathSegments = readonly Segment[];

interface Segment {
  readonly name: string;
  /** Keys of a list entry (RFC 8040 section 3.5.3); undefined for any other segment. */
  readonly keys: string | undefined;
}

/**
 * Returns the segments of a path without its query. Encodings, letter case, empty segments, parameters after `;` and the
 * modules of YANG names do not count, because a change must not miss a reply that another spelling of its path has
 * requested. A datastore of RFC 8527 is `/data`: what is in one of them can show in the others.
 */
export function segmentsOf(path: string): PathSegments {
  const [pathOnly = ''] = path.split(/[?#]/, 1);
  const segments = pathOnly.split('/').flatMap(segmentsIn);
  const at = segments.findIndex(({ name }) => name === 'ds');
  return at < 0 ? segments : segments.toSpliced(at, 2, { name: 'data', keys: undefined });
}

/** Returns the segments of a written segment. Some servers read an encoded slash of a name as a slash (RFC 3986 section 2.2). */
function segmentsIn(written: string): PathSegments {
  const [withoutParameters = ''] = written.split(';', 1);
  const text = decodeUri(withoutParameters).toLowerCase();
  const equals = text.indexOf('=');
  const names = (equals < 0 ? text : text.slice(0, equals)).split('/').filter((name) => name !== '');
  const keys = equals < 0 ? undefined : text.slice(equals + 1);
  return names.map((name, at) => ({
    name: name.replace(/^[^:]*:/, ''),
    keys: at === names.length - 1 ? keys : undefined,
  }));
}

/** Returns true if one path is at, above or below the other. A list (`interface`) contains its entries (`interface=eth0`). */
export function areRelated(one: PathSegments, other: PathSegments): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  return shorter.every((segment, at) => isSameOrEntry(segment, longer[at]));
}

function isSameOrEntry(one: Segment, other: Segment | undefined): boolean {
  if (one.name !== other?.name) return false;
  if (one.keys === undefined || other.keys === undefined || one.keys === other.keys) return true;
  // The names of identities and the addresses of IPv6 have several spellings.
  return one.keys.includes(':') || other.keys.includes(':');
}

/** Segments of a path, for comparison. */
export type PathSegments = readonly Segment[];

interface Segment {
  readonly name: string;
  /** Keys of a list entry (RFC 8040 section 3.5.3); undefined for any other segment. */
  readonly keys: string | undefined;
}

/**
 * Returns the segments of a path without its query. Encodings, letter case, empty segments and the modules of YANG
 * names do not count, because a change must not miss a reply that another spelling of its path has requested.
 */
export function segmentsOf(path: string): PathSegments {
  const [pathOnly = ''] = path.split(/[?#]/, 1);
  return pathOnly
    .split('/')
    .filter((segment) => segment !== '')
    .map(segmentOf);
}

function segmentOf(written: string): Segment {
  const text = decoded(written).toLowerCase();
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  return { name: name.replace(/^[^:]*:/, ''), keys: equals < 0 ? undefined : text.slice(equals + 1) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns true if one path is at, above or below the other. A list (`interface`) contains its entries (`interface=eth0`). */
export function areRelated(one: PathSegments, other: PathSegments): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  return shorter.every((segment, at) => isSameOrEntry(segment, longer[at]));
}

function isSameOrEntry(one: Segment, other: Segment | undefined): boolean {
  if (one.name !== other?.name) return false;
  return one.keys === undefined || other.keys === undefined || one.keys === other.keys;
}

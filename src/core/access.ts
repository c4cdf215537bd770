/** Rule that limits which calls may pass through an adapter. An absent member matches every call. */
export interface AccessRule {
  /** The caller has one of these roles. */
  readonly roles?: readonly string[];
  /** Upper case. */
  readonly methods?: readonly string[];
  /** Path patterns: `*` matches part of a segment, `**` any number of segments. */
  readonly paths?: readonly string[];
}

/** Properties of a call that access rules check. */
export interface AccessRequest {
  readonly roles: readonly string[];
  readonly method: string;
  /** Path as the caller sent it; the query is ignored. */
  readonly path: string;
}

/** Maximum length of a path that rules can admit. Comparing a path of one megabyte would take a second. */
const LONGEST_PATH = 8192;

/**
 * Returns true if a rule admits the call, or if there are no rules. Paths are compared as written: an encoded
 * letter is a different letter. A path in an unusual spelling is therefore refused.
 */
export function isAdmitted(rules: readonly AccessRule[], call: AccessRequest): boolean {
  if (rules.length === 0) return true;
  return call.path.length <= LONGEST_PATH && rules.some((rule) => admits(rule, call));
}

function admits({ roles, methods, paths }: AccessRule, call: AccessRequest): boolean {
  return (
    (roles?.some((role) => call.roles.includes(role)) ?? true) &&
    (methods?.includes(call.method) ?? true) &&
    (paths?.some((pattern) => matchesPath(pattern, call.path)) ?? true)
  );
}

/**
 * Returns true if the path matches the pattern. `*` alone needs at least one character; `/a/**` matches `/a`
 * and everything below it. Takes time proportional at most to the product of both lengths, for any pattern.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [place = ''] = path.split(/[?#]/, 1);
  return matchesList(pattern.split('/'), place.split('/'), {
    isMany: (part) => part === '**',
    matches: (part, segment) => (part === '*' ? segment !== '' : matchesSegment(part, segment)),
  });
}

function matchesSegment(pattern: string, segment: string): boolean {
  if (!pattern.includes('*')) return pattern === segment;
  return matchesList(pattern.split(''), segment.split(''), {
    isMany: (character) => character === '*',
    matches: (one, other) => one === other,
  });
}

interface Likeness {
  /** Returns true for a pattern item that matches any number of items. */
  readonly isMany: (item: string) => boolean;
  readonly matches: (item: string, other: string) => boolean;
}

/**
 * Returns true if the pattern matches all items. The last "many" item matches as few items as possible, and
 * one more each time the rest does not match.
 */
function matchesList(
  pattern: readonly string[],
  items: readonly string[],
  { isMany, matches }: Likeness,
): boolean {
  let at = 0;
  let many = -1;
  let taken = 0;
  let item = 0;
  while (item < items.length) {
    const wanted = pattern[at];
    if (wanted !== undefined && isMany(wanted)) {
      many = at;
      taken = item;
      at += 1;
    } else if (wanted !== undefined && matches(wanted, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (many >= 0) {
      taken += 1;
      item = taken;
      at = many + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isMany);
}

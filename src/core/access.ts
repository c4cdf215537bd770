/** Who may call what through one adapter. A member that is absent asks for nothing. */
export interface AccessRule {
  /** The caller has one of these roles. */
  readonly roles?: readonly string[];
  /** Upper case. */
  readonly methods?: readonly string[];
  /** Path patterns: `*` stands for a part of a segment, `**` for any number of segments. */
  readonly paths?: readonly string[];
}

/** A call, as far as access rules look at it. */
export interface AccessRequest {
  readonly roles: readonly string[];
  readonly method: string;
  /** As the caller sent it; the query is not looked at. */
  readonly path: string;
}

/** Longer paths are never sent; comparing one of a megabyte would take a second. */
const LONGEST_PATH = 8192;

/**
 * True when one rule admits the call, or when there are no rules. A path is compared as it is written: an encoded letter is another
 * letter, so that a path that is spelled in an unusual way is refused.
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
 * True when a path is one that a pattern means. `*` alone needs at least one character; `/a/**` means `/a` and all
 * below it. Takes a time that grows with the product of the lengths at most, whatever the pattern.
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
  /** True for an item of the pattern that stands for any number of items. */
  readonly isMany: (item: string) => boolean;
  readonly matches: (item: string, other: string) => boolean;
}

/** The last "many" takes as little as it can, and one item more each time that what follows does not fit. */
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

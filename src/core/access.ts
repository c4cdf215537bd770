import type { accessSchema } from '../settings/access.js';
import type { FromSchema } from '../settings/from-schema.js';

/** A rule that admits calls to an adapter. An absent member matches every call. */
export type AccessRule = FromSchema<typeof accessSchema>[number];

/** Maximum length of a path that rules can admit. Matching a path of one megabyte would take a second. */
export const MAX_RULE_PATH_LENGTH = 8192;

/**
 * Returns true if the path matches the pattern: `*` matches part of a segment, `**` any number of segments. A segment
 * `*` matches any segment that is not empty; `/a/**` matches `/a` and all paths below `/a`. A `*` matches no encoded
 * separator (for example `%2F`), no `;` and no `#`, because an orchestrator that decodes them, or a plugin that reads
 * `#` as part of a segment, would see another path. Only after `=`, `*` matches `%2F`, which is part of a key there
 * (RFC 8040 section 3.5.3). The time is at most proportional to the product of both lengths.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [pathOnly = ''] = path.split('?', 1);
  return matchesList(pattern.split('/'), pathOnly.split('/'), {
    isWildcard: (part) => part === '**',
    matchesWildcard: () => true,
    matches: (part, segment) => (part === '*' && segment === '' ? false : matchesSegment(part, segment)),
  });
}

function matchesSegment(pattern: string, segment: string): boolean {
  if (!pattern.includes('*')) return pattern === segment;
  const keysFrom = pattern.includes('=') ? pattern.indexOf('=') : Infinity;
  return matchesList(itemsOf(pattern), itemsOf(segment), {
    isWildcard: (item) => item === '*',
    matchesWildcard: (item, at) => !SEPARATOR.test(item) || (at > keysFrom && /^%2f$/i.test(item)),
    matches: (wanted, item) => wanted === item,
  });
}

/** A separator of paths, encoded once or more often; `;`, which separates parameters; or `#`, which begins a fragment. */
const SEPARATOR = /%(?:25)*(?:2f|5c|3f|3b|23|00)|[;#]/i;

/** Splits a segment into characters and separators. */
function itemsOf(segment: string): readonly string[] {
  return segment.match(/%(?:25)*(?:2f|5c|3f|3b|23|00)|[^]/gi) ?? [];
}

/** How pattern items match path items. */
interface ItemMatcher {
  /** Returns true for a pattern item that matches any number of path items. */
  readonly isWildcard: (item: string) => boolean;
  /** Returns true if the wildcard at this index of the pattern may match a path item. */
  readonly matchesWildcard: (item: string, at: number) => boolean;
  readonly matches: (patternItem: string, item: string) => boolean;
}

/**
 * Returns true if the pattern matches all items. Each wildcard first matches no item. If the rest does not
 * match, the last wildcard matches one item more.
 */
function matchesList(
  pattern: readonly string[],
  items: readonly string[],
  { isWildcard, matchesWildcard, matches }: ItemMatcher,
): boolean {
  let at = 0;
  let lastWildcard = -1;
  let matchedUntil = 0;
  let item = 0;
  while (item < items.length) {
    const patternItem = pattern[at];
    if (patternItem !== undefined && isWildcard(patternItem)) {
      lastWildcard = at;
      matchedUntil = item;
      at += 1;
    } else if (patternItem !== undefined && matches(patternItem, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (lastWildcard >= 0 && matchesWildcard(items[matchedUntil] ?? '', lastWildcard)) {
      matchedUntil += 1;
      item = matchedUntil;
      at = lastWildcard + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWildcard);
}

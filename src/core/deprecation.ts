/** A release of the platform: year and number. */
export type Release = `${number}.${number}`;

/** Release that a server implements if its configuration names none. */
export const PRESENT_RELEASE: Release = '2023.2';

/** Pattern of a release in the configuration and on command lines. */
export const RELEASE_PATTERN = '^20\\d{2}\\.[1-9]\\d?$';

/** Returns true if the text names a release. */
export function isRelease(text: string): boolean {
  return new RegExp(RELEASE_PATTERN).test(text);
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and a path pattern, for example `GET /adapters/:name`. */
export type Route = `${Method} /${string}`;

/** Deprecation of an operation: its releases and its replacements. */
export interface Deprecation {
  readonly deprecatedIn: Release;
  readonly removedIn: Release;
  /** Replacements, any of which can be used; empty if nothing replaces the operation. */
  readonly replacements: readonly Route[];
}

/** Stage of an operation: `current` is not deprecated yet, `removed` is no longer served. */
export type Stage = 'current' | 'deprecated' | 'removed';

/** Returns the stage of an operation at a release. */
export function stageAt(
  release: string,
  { deprecatedIn, removedIn }: Pick<Deprecation, 'deprecatedIn' | 'removedIn'>,
): Stage {
  if (compareReleases(release, removedIn) >= 0) return 'removed';
  return compareReleases(release, deprecatedIn) >= 0 ? 'deprecated' : 'current';
}

/**
 * Compares two releases; negative if the first one is older. Compares the parts as numbers: 2020.10 is later
 * than 2020.2.
 */
export function compareReleases(one: string, other: string): number {
  const [year = 0, number = 0] = one.split('.').map(Number);
  const [otherYear = 0, otherNumber = 0] = other.split('.').map(Number);
  return year - otherYear || number - otherNumber;
}

/** Splits a route into its method and its path. */
export function partsOf(route: Route): { readonly method: Method; readonly path: string } {
  const at = route.indexOf(' ');
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) };
}

/** A release of the platform: year and number. */
export type Release = `${number}.${number}`;

/** The release that a server stands for where its configuration does not say. */
export const PRESENT_RELEASE: Release = '2023.2';

/** A release in the configuration and on command lines. */
export const RELEASE_PATTERN = '^20\\d{2}\\.[1-9]\\d?$';

/** True for a text that names a release. */
export function isRelease(text: string): boolean {
  return new RegExp(RELEASE_PATTERN).test(text);
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and a path pattern, for example `GET /adapters/:name`. */
export type Route = `${Method} /${string}`;

/** An operation that is on its way out: when, and what to use instead. */
export interface Deprecation {
  readonly deprecatedIn: Release;
  readonly removedIn: Release;
  /** Any of these; empty when there is nothing in its place. */
  readonly replacements: readonly Route[];
}

/** How far out of use an operation is: `current` is not yet, `removed` is not served any more. */
export type Stage = 'current' | 'deprecated' | 'removed';

/** The stage of an operation at a release. */
export function stageAt(
  release: string,
  { deprecatedIn, removedIn }: Pick<Deprecation, 'deprecatedIn' | 'removedIn'>,
): Stage {
  if (compareReleases(release, removedIn) >= 0) return 'removed';
  return compareReleases(release, deprecatedIn) >= 0 ? 'deprecated' : 'current';
}

/** Negative when the first release came before the other. Their parts are numbers: 2020.10 came after 2020.2. */
export function compareReleases(one: string, other: string): number {
  const [year = 0, number = 0] = one.split('.').map(Number);
  const [otherYear = 0, otherNumber = 0] = other.split('.').map(Number);
  return year - otherYear || number - otherNumber;
}

/** The two parts of a route. */
export function partsOf(route: Route): { readonly method: Method; readonly path: string } {
  const at = route.indexOf(' ');
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) };
}

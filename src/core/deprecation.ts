/** A release of the platform: a year and a number. */
export type Release = `${number}.${number}`;

/** Default release that a server implements. */
export const PRESENT_RELEASE: Release = '2023.2';

/** Pattern of a release in the configuration and in command-line arguments. */
export const RELEASE_PATTERN = '^20\\d{2}\\.[1-9]\\d?$';

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
  /** Alternative replacements; empty for an operation without a replacement. */
  readonly replacements: readonly Route[];
}

/** Stage of an operation: `current` is not deprecated yet, `removed` is no longer served. */
type Stage = 'current' | 'deprecated' | 'removed';

export function stageAt(
  release: string,
  { deprecatedIn, removedIn }: Pick<Deprecation, 'deprecatedIn' | 'removedIn'>,
): Stage {
  if (compareReleases(release, removedIn) >= 0) return 'removed';
  return compareReleases(release, deprecatedIn) >= 0 ? 'deprecated' : 'current';
}

/**
 * Compares two releases by year and number; negative if the first release is older. 2020.10 is later than
 * 2020.2.
 */
export function compareReleases(first: string, second: string): number {
  const [firstYear = 0, firstNumber = 0] = first.split('.').map(Number);
  const [secondYear = 0, secondNumber = 0] = second.split('.').map(Number);
  return firstYear - secondYear || firstNumber - secondNumber;
}

export function partsOf(route: Route): { readonly method: Method; readonly path: string } {
  const at = route.indexOf(' ');
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) };
}

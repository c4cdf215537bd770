import type { Release } from '../../core/deprecation.js';

/**
 * Release days, by the number of the release within the year. **Nominal**: the platform names its releases by
 * year and number and publishes no days, so each number maps to the first day of a quarter. Only the headers
 * need the days; the behavior of an operation depends only on the key `release`.
 */
const FIRST_DAYS: Readonly<Record<string, string>> = {
  '1': '01-01',
  '2': '04-01',
  '3': '07-01',
  '4': '10-01',
};

/** Returns the nominal day of a release, at midnight UTC. Throws for an unknown number. */
export function dayOf(release: Release): Date {
  const [year = '', number = ''] = release.split('.');
  const day = FIRST_DAYS[number];
  if (day === undefined) throw new RangeError(`the calendar has no release ${release}`);
  return new Date(`${year}-${day}T00:00:00Z`);
}

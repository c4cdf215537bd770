import type { Release } from '../../core/deprecation.js';

/**
 * When releases come out, by their number within the year. **Nominal**: the platform names its releases by year and
 * number and publishes no days, so that each stands for the first day of a quarter. The days are there because headers
 * need some; what an operation does depends on the key `release` alone.
 */
const FIRST_DAYS: Readonly<Record<string, string>> = {
  '1': '01-01',
  '2': '04-01',
  '3': '07-01',
  '4': '10-01',
};

/** The nominal day of a release, at midnight UTC. Throws for a number that the calendar does not know. */
export function dayOf(release: Release): Date {
  const [year = '', number = ''] = release.split('.');
  const day = FIRST_DAYS[number];
  if (day === undefined) throw new RangeError(`the calendar has no release ${release}`);
  return new Date(`${year}-${day}T00:00:00Z`);
}

import { readFileSync } from 'node:fs';
import type { ServiceName } from './services.js';

/** A group of tests that are run and timed together, in `test/tiers.json`, in the order of execution. */
export interface Tier {
  readonly name: string;
  /** A common property of its tests, for `npm test -- --help` and CONTRIBUTING.md. */
  readonly about: string;
  /** Folders and files below `test/`. A file belongs to the tier with the longest matching path. */
  readonly paths: readonly string[];
  /** Parts of the build (`scripts/ready.mjs`) that its tests open, besides the compiled code. */
  readonly builds?: readonly string[];
  /** A program without which none of its tests can run. */
  readonly requires?: ServiceName;
  /** Servers that some of its tests use, if their programs are installed. */
  readonly uses?: readonly ServiceName[];
  /** True: `npm test` omits the tier, and `npm run test:all` runs it. */
  readonly onlyInAll?: boolean;
}

export const TIERS = JSON.parse(
  readFileSync(new URL('../../../test/tiers.json', import.meta.url), 'utf8'),
) as readonly Tier[];

/** Returns the tier of a file by its path below `test/`. The longest matching path decides. */
export function tierOf(path: string): string | undefined {
  const holders = TIERS.flatMap(({ name, paths }) =>
    paths
      .filter((one) => path === one || path.startsWith(`${one}/`))
      .map((one) => ({ name, length: one.length })),
  );
  return holders.sort((one, other) => other.length - one.length)[0]?.name;
}

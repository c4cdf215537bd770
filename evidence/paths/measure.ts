import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import type { BaseUrl } from '../../src/upstream/target.js';
import { HOSTILE_PATHS } from '../../test/support/path-vectors.js';
import { generatedPath } from '../../test/upstream/generated-path.js';
import { escapes } from '../../test/upstream/path-readings.js';
import { suiteJson, suiteLines } from '../public-suite.js';
import type { Findings } from '../report.js';
import { MANY_LEGITIMATE_PATHS } from './legitimate-paths.js';

/** Puts a path below a base URL, or throws. */
type Join = (base: BaseUrl, path: string) => string;

/** A join that confines nothing. */
export const naiveJoin: Join = ({ origin, path: base }, path) => origin + base + path;

const BASES: readonly BaseUrl[] = [
  { origin: 'https://nso.example:8888', path: '/restconf' },
  { origin: 'http://api.example', path: '/rest/v1.2/a' },
  { origin: 'https://[2001:db8::1]:8443', path: '' },
];
const BASE = BASES[0]!;

/** How many a reader is shown. */
const SHOWN = 5;

/**
 * P1 to P4: joins public and own traversals, URLs of the URL standard's tests and generated paths; checks the
 * results with six interpretations of upstreams. Also checks paths that clients need.
 */
export function measurePaths(join: Join, runs: number): Findings {
  const published = suiteLines('.txt', 'PayloadsAllTheThings', 'Directory Traversal', 'Intruder');
  const urls = urlTexts();
  const vectors = [...new Set([...published, ...HOSTILE_PATHS, ...urls])];
  const outcomes = vectors.map((path) => outcomeOf(join, BASE, path));
  const generated = { runs: 0, taken: 0 };
  const found: string[] = [];
  fc.assert(
    fc.property(fc.constantFrom(...BASES), generatedPath, (base, path) => {
      generated.runs += 1;
      const outcome = outcomeOf(join, base, path);
      if (outcome === 'taken') generated.taken += 1;
      else if (outcome !== 'refused') found.push(`${path}: ${outcome}`);
    }),
    { numRuns: runs },
  );
  const escaped = vectors.filter((_, at) => !['refused', 'taken'].includes(outcomes[at] ?? ''));
  const refusedLegitimate = MANY_LEGITIMATE_PATHS.filter((path) => outcomeOf(join, BASE, path) !== 'taken');
  return {
    holds: escaped.length + found.length + refusedLegitimate.length === 0 && generated.runs === runs,
    figures: {
      vectors: vectors.length,
      ofPayloadsAllTheThings: published.length,
      ofTheUrlStandard: urls.length,
      own: HOSTILE_PATHS.length,
      refused: outcomes.filter((outcome) => outcome === 'refused').length,
      takenAndConfined: outcomes.filter((outcome) => outcome === 'taken').length,
      escaped: escaped.length,
      generated: generated.runs,
      generatedTaken: generated.taken,
      generatedEscaped: found.length,
      legitimate: MANY_LEGITIMATE_PATHS.length,
      legitimateRefused: refusedLegitimate.length,
      examples: [...escaped, ...found, ...refusedLegitimate].slice(0, SHOWN),
    },
  };
}

/** Returns `refused`, `taken`, or how an upstream may interpret the URL as another place. */
function outcomeOf(join: Join, base: BaseUrl, path: string): string {
  let url: string;
  try {
    url = join(base, path);
  } catch (error) {
    return error instanceof Problem && error.code === 'invalid_path' ? 'refused' : `threw ${String(error)}`;
  }
  const ways = escapes(url, base);
  return ways.length === 0 ? 'taken' : ways.join(', ');
}

/** Every input of the tests of the URL standard, as a path. */
function urlTexts(): readonly string[] {
  const files = ['urltestdata.json', 'ada_extra_urltestdata.json'].map((name) =>
    suiteJson('ada', 'tests', 'wpt', name),
  );
  return files.flatMap((file) =>
    ((file ?? []) as readonly (string | { readonly input: string })[]).flatMap((row) =>
      typeof row === 'string' ? [] : [row.input],
    ),
  );
}

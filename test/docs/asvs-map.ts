import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

/**
 * A requirement of OWASP ASVS 5.0.0 in our own words, and its result: exactly one of the last three members.
 */
export interface Requirement {
  readonly id: string;
  readonly level: 1 | 2;
  readonly subject: string;
  readonly tests?: readonly { readonly file: string; readonly title: string }[];
  readonly unmet?: string;
  readonly notApplicable?: string;
}

/** The number of requirements with each result. */
interface Coverage {
  readonly met: number;
  readonly unmet: number;
  readonly notApplicable: number;
}

/** Reads the map `docs/asvs.json`. */
export function readRequirements(): readonly Requirement[] {
  return JSON.parse(readFileSync(join(ROOT, 'docs', 'asvs.json'), 'utf8')) as readonly Requirement[];
}

/** Counts the results of requirements. */
export function tally(requirements: readonly Requirement[]): Coverage {
  const count = (outcome: 'tests' | 'unmet' | 'notApplicable'): number =>
    requirements.filter((one) => one[outcome] !== undefined).length;
  return { met: count('tests'), unmet: count('unmet'), notApplicable: count('notApplicable') };
}

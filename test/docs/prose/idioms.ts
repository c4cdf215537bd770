import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../markdown.js';

/** An expression that the documentation does not use. */
interface Idiom {
  /** Matches the expression in a sentence, regardless of case. */
  readonly pattern: RegExp;
  /** The standard words for it. */
  readonly instead: string;
  /** A sentence with the expression. */
  readonly example: string;
}

/** The expressions of `idioms.tsv`, which the prose of the documentation does not use. */
export const IDIOMS: readonly Idiom[] = readFileSync(join(ROOT, 'test/docs/prose/idioms.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [expression = '', instead = '', example = ''] = line.split('\t');
    return { pattern: new RegExp(expression, 'i'), instead, example };
  });

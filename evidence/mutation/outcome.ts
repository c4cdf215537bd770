import { EQUIVALENT } from './equivalent.js';

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/**
 * Report of Stryker: the used part of the schema of mutation-testing-elements. Lines and columns begin with
 * 1.
 */
export interface MutantReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

/** A mutant that no test detects. */
export interface Survivor {
  /** Compiled file, and the place in it. */
  readonly file: string;
  readonly start: Position;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** True if no test runs the code. */
  readonly isUncovered: boolean;
}

/** Results of the mutants of a sample. */
export interface Outcome {
  readonly killed: number;
  /** Mutants that never end; they count as detected. */
  readonly timeouts: number;
  readonly survived: number;
  readonly uncovered: number;
  /** Named as meaning the same; not counted in the score. */
  readonly equivalent: number;
  /** Those with which the tests cannot even be loaded; not counted in the score. */
  readonly errors: number;
  /** Part of the others that was noticed, in percent. */
  readonly score: number;
}

/** Counts the mutants by result, and lists those that survived. */
export function outcomeOf(report: MutantReport): { outcome: Outcome; survivors: readonly Survivor[] } {
  const count = new Map<string, number>();
  const survivors: Survivor[] = [];
  for (const [file, { source, mutants }] of Object.entries(report.files))
    for (const mutant of mutants) {
      const { status } = mutant;
      const survivor = survivorOf(mutant, file, source);
      const lives = status === 'Survived' || status === 'NoCoverage';
      const known = lives && isEquivalent(survivor) ? 'Equivalent' : status;
      count.set(known, (count.get(known) ?? 0) + 1);
      if (known === status && lives) survivors.push(survivor);
    }
  return { outcome: counted((status) => count.get(status) ?? 0), survivors };
}

function counted(of: (status: string) => number): Outcome {
  const [killed, timeouts, survived, uncovered] = [
    of('Killed'),
    of('Timeout'),
    of('Survived'),
    of('NoCoverage'),
  ];
  const noticed = killed + timeouts;
  return {
    killed,
    timeouts,
    survived,
    uncovered,
    equivalent: of('Equivalent'),
    errors: of('RuntimeError'),
    score: Math.round((1000 * noticed) / Math.max(1, noticed + survived + uncovered)) / 10,
  };
}

function survivorOf(
  { mutatorName, replacement = '', status, location }: Mutant,
  file: string,
  source: string,
): Survivor {
  return {
    file,
    start: location.start,
    mutator: mutatorName,
    original: textAt(source, location),
    replacement,
    isUncovered: status === 'NoCoverage',
  };
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n');
  const at = ({ line, column }: Position): number =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  return source.slice(at(start), at(end));
}

/** Compares the originals without layout and kind of quotes, which compiled code has otherwise than the source. */
function isEquivalent({ file, original, replacement }: Survivor): boolean {
  const plain = (code: string): string => inOneLine(code).replaceAll('"', "'");
  return EQUIVALENT.some(
    (one) =>
      file === `dist/${one.file}.js` &&
      plain(one.original) === plain(original) &&
      plain(one.replacement) === plain(replacement),
  );
}

/** Code without its layout. */
export function inOneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ');
}

import { givenSample, isInSample } from './sample.js';

/** A mutant as Stryker passes it to its plugins. */
interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly location: unknown;
  readonly mutatorName: string;
  readonly replacement: string;
}

type Checked = Readonly<
  Record<string, { readonly status: 'passed' | 'compileError'; readonly reason?: string }>
>;

/** A Stryker checker decides which mutants are tested; this checker accepts those of the sample. */
const checker = {
  init: () => Promise.resolve(),
  group: (mutants: readonly Mutant[]) => Promise.resolve([mutants.map(({ id }) => id)]),
  check: (mutants: readonly Mutant[]): Promise<Checked> =>
    Promise.resolve(Object.fromEntries(mutants.map((mutant) => [mutant.id, judge(mutant)]))),
};

function judge({ fileName, location, mutatorName, replacement }: Mutant): Checked[string] {
  const file = fileName.slice(fileName.lastIndexOf('/dist/'));
  return isInSample(JSON.stringify([file, location, mutatorName, replacement]), givenSample())
    ? { status: 'passed' }
    : { status: 'compileError', reason: 'not in the sample' };
}

/** Exports that Stryker expects from a plugin. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: () => checker }];

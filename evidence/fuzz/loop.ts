import type { Random } from '../../test/support/random.js';
import type { Coverage } from './coverage.js';
import type { Executor, FuzzTarget } from './executor.js';
import { Mutator } from './mutate.js';

export interface FuzzTerms {
  /** Inputs to begin with. */
  readonly corpus: readonly Buffer[];
  readonly random: Random;
  /** Called before each batch of inputs. */
  readonly mayGoOn: () => boolean;
}

interface GuidedTerms extends FuzzTerms {
  readonly coverage: Coverage;
}

/** Inputs between two coverage checks: a check takes longer than most parsers. */
const BATCH = 64;

/**
 * Runs a parser on mutated inputs, and keeps inputs that reach new code as a base of later mutations. Ends
 * with the first failure. Returns the kept inputs.
 */
export function fuzzGuided(executor: Executor, target: FuzzTarget, terms: GuidedTerms): readonly Buffer[] {
  const { corpus: first, coverage, random, mayGoOn } = terms;
  const corpus: Buffer[] = [];
  const mutator = new Mutator({ corpus, tokens: target.tokens, random });
  const keepWhatIsNew = (inputs: readonly Buffer[]): void => {
    for (const input of inputs) {
      if (executor.failure) return;
      executor.execute(input);
      if (coverage.look(true)) corpus.push(input);
    }
  };
  coverage.look(true);
  keepWhatIsNew([...target.seeds.map((seed) => Buffer.from(seed, 'latin1')), ...first]);
  while (!executor.failure && mayGoOn()) {
    const inputs = Array.from({ length: BATCH }, () => Buffer.from(mutator.next()));
    for (const input of inputs) executor.execute(input);
    if (coverage.look(false)) keepWhatIsNew(inputs);
  }
  return corpus;
}

/** Runs a parser on inputs as fast as possible, without coverage checks. Ends with the first failure. */
export function fuzzBlind(executor: Executor, { tokens }: FuzzTarget, terms: FuzzTerms): void {
  const { corpus, random, mayGoOn } = terms;
  const mutator = new Mutator({ corpus, tokens, random });
  // Most inputs are refused with an error, and creating its stack would be most of the work.
  Error.stackTraceLimit = 0;
  while (!executor.failure && mayGoOn())
    for (let left = BATCH; left > 0; left -= 1) executor.execute(mutator.next());
}

import type { Random } from '../yang/random.js';
import type { Coverage } from './coverage.js';
import { mutate } from './mutate.js';

/** A parser and what must hold of it. */
export interface FuzzTarget {
  /** Inputs to begin with. */
  readonly seeds: readonly string[];
  /** Pieces of its language. */
  readonly tokens: readonly string[];
  /** Has the parser read an input; throws when something does not hold. */
  readonly run: (input: Buffer) => void;
}

/** An input that something does not hold for. */
export interface Failure {
  readonly input: Buffer;
  readonly error: Error;
}

export interface Fuzzed {
  readonly executions: number;
  /** Inputs each of which reached something that those before it did not. */
  readonly corpus: readonly Buffer[];
  readonly failures: readonly Failure[];
  readonly slowestMs: number;
}

export interface FuzzTerms {
  readonly corpus: readonly Buffer[];
  readonly coverage: Coverage;
  readonly random: Random;
  /** Asked before each batch of inputs. */
  readonly mayGoOn: (executions: number) => boolean;
}

/** Inputs between two looks at what has run: a look takes longer than most parsers. */
const BATCH = 64;

/** Has a target read inputs, and keeps those that reach something new to make others of them. */
export function fuzz(target: FuzzTarget, { corpus: first, coverage, random, mayGoOn }: FuzzTerms): Fuzzed {
  const corpus: Buffer[] = [];
  const failures = new Map<string, Failure>();
  let [executions, slowestMs] = [0, 0];
  const timed = (input: Buffer): number => {
    const begun = performance.now();
    try {
      target.run(input);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const name = error.stack?.split('\n').slice(0, 3).join() ?? '';
      if (!failures.has(name)) failures.set(name, { input, error });
    }
    executions += 1;
    return performance.now() - begun;
  };
  const run = (input: Buffer): void => {
    const ms = timed(input);
    // The machine may have had something else to do.
    if (ms > slowestMs) slowestMs = Math.max(slowestMs, Math.min(ms, timed(input)));
  };
  const keepWhatIsNew = (inputs: readonly Buffer[]): void => {
    for (const input of inputs) {
      run(input);
      if (coverage.look(true)) corpus.push(input);
    }
  };
  coverage.look(true);
  keepWhatIsNew([...target.seeds.map((seed) => Buffer.from(seed, 'latin1')), ...first]);
  while (mayGoOn(executions)) {
    const inputs = Array.from({ length: BATCH }, () => mutate({ corpus, tokens: target.tokens, random }));
    inputs.forEach(run);
    if (coverage.look(false)) keepWhatIsNew(inputs);
  }
  return { executions, corpus, failures: [...failures.values()], slowestMs };
}

import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../test/support/random.js';
import { Coverage } from './coverage.js';
import { Executor, type Failure, type FuzzTarget } from './executor.js';
import { fuzzBlind, fuzzGuided, type FuzzTerms } from './loop.js';
import { holdsPlanted } from './planted.js';
import { Progress } from './progress.js';
import { SEARCHED } from './targets.js';

/** Task of a thread. */
export interface Phase {
  readonly parser: string;
  /** True measures the coverage of the parser; false runs inputs as fast as possible. */
  readonly isGuided: boolean;
  readonly corpus: readonly Uint8Array[];
  readonly seed: number;
  readonly seconds: number;
  /** Inputs after which it ends. */
  readonly executions: number;
}

/** Result of a thread. */
export interface PhaseEnd {
  /** Inputs that each reached code that earlier inputs did not; empty without coverage checks. */
  readonly corpus: readonly Uint8Array[];
  readonly slowestMs: number;
  readonly failure: Failure | undefined;
}

const { memory, ...phase } = workerData as Phase & { readonly memory: SharedArrayBuffer };
parentPort?.postMessage(run(phase, new Progress(memory)));

function run({ parser, isGuided, seed, seconds, executions, ...given }: Phase, progress: Progress): PhaseEnd {
  const target = SEARCHED[parser];
  if (!target) throw new Error(`there is no parser ${parser}`);
  const executor = new Executor(target, progress);
  const end = performance.now() + seconds * 1_000;
  const mayGoOn = (): boolean => executor.executions < executions && performance.now() < end;
  const terms = {
    corpus: given.corpus.map((input) => Buffer.from(input)),
    random: new Random(seed),
    mayGoOn,
  };
  const corpus = isGuided ? searchGuided(executor, target, terms) : [];
  if (!isGuided) fuzzBlind(executor, target, terms);
  return { corpus, slowestMs: executor.slowestMs, failure: executor.failure };
}

function searchGuided(executor: Executor, target: FuzzTarget, terms: FuzzTerms): readonly Buffer[] {
  const coverage = new Coverage(isWatched);
  try {
    return fuzzGuided(executor, target, { ...terms, coverage });
  } finally {
    coverage.stop();
  }
}

function isWatched(url: string): boolean {
  return (
    url.includes('/src/') ||
    url.includes('/plugins/') ||
    url.includes('/node_modules/yaml/') ||
    holdsPlanted(url)
  );
}

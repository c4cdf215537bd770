import { report, SABOTAGED } from '../report.js';
import { Random } from '../yang/random.js';
import { readCorpus, writeCorpus } from './corpora.js';
import { Coverage } from './coverage.js';
import { fuzz, type Fuzzed } from './loop.js';
import { hasPlantedFault, PLANTED } from './planted.js';
import { TARGETS } from './targets.js';

// Every parser of what strangers write, with inputs that are made of those that reached something new: none throws but as it
// says, none takes a second, and what is taken means what it should. What is found stays in test/corpora with `--corpora`.
// `npm run evidence -- fuzz [TARGET] [SECONDS] [--corpora]`
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const only = words.find((word) => Object.hasOwn(TARGETS, word));
const SECONDS = Number(words.find((word) => /^\d+$/.test(word)) ?? '60');
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const MOST_MS = 1_000;
/** Inputs of each target that are worth a file. */
const KEPT = 24;
const KEPT_BYTES = 512;

if (SABOTAGED) tryPlanted();
else await fuzzAll();

function fuzzTarget(name: string): Fuzzed {
  const target = TARGETS[name];
  if (!target) throw new Error(`there is no target ${name}`);
  const coverage = new Coverage((url) => url.includes('/src/') || url.includes('/node_modules/yaml/'));
  const end = performance.now() + SECONDS * 1_000;
  try {
    const mayGoOn = (): boolean => performance.now() < end;
    return fuzz(target, { corpus: readCorpus(name), coverage, random: new Random(SEED), mayGoOn });
  } finally {
    coverage.stop();
  }
}

async function fuzzAll(): Promise<void> {
  const targets: Record<string, object> = {};
  let holds = true;
  let [total, failed, fewest, slowest] = [0, 0, Infinity, 0];
  for (const name of only === undefined ? Object.keys(TARGETS) : [only]) {
    const { executions, corpus, failures, slowestMs } = fuzzTarget(name);
    for (const { input, error } of failures)
      process.stderr.write(`${name}: ${JSON.stringify(input.toString('latin1'))}\n${error.stack ?? ''}\n`);
    const kept = [
      ...failures.map(({ input }) => input),
      ...corpus.filter(({ length }) => length <= KEPT_BYTES),
    ];
    if (process.argv.includes('--corpora')) writeCorpus(name, kept.slice(0, KEPT));
    holds &&= failures.length === 0 && slowestMs <= MOST_MS;
    total += executions;
    failed += failures.length;
    fewest = Math.min(fewest, executions);
    slowest = Math.max(slowest, slowestMs);
    const figures = { executions, reached: corpus.length, failures: failures.length };
    targets[name] = { ...figures, slowestMs: Math.round(slowestMs) };
    process.stderr.write(`${name}: ${JSON.stringify(targets[name])}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const figures = { executions: total, fewest, failures: failed, slowestMs: Math.round(slowest) };
  report('fuzz', holds, { ...figures, targets, secondsEach: SECONDS, seed: SEED });
}

/** The loop on a parser with a fault behind four bytes: the group must fail. */
function tryPlanted(): void {
  const coverage = new Coverage(hasPlantedFault);
  const end = performance.now() + SECONDS * 1_000;
  let found = false;
  const mayGoOn = (): boolean => !found && performance.now() < end;
  const run = (input: Buffer): void => {
    try {
      PLANTED.run(input);
    } catch (error) {
      found = true;
      throw error;
    }
  };
  const { executions, failures } = fuzz(
    { ...PLANTED, run },
    { corpus: [], coverage, random: new Random(SEED), mayGoOn },
  );
  coverage.stop();
  report('fuzz', failures.length === 0, {
    target: 'planted',
    executions,
    failures: failures.length,
    seed: SEED,
  });
}

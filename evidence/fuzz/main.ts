import { parseArgs } from 'node:util';
import { report, SABOTAGED } from '../report.js';
import { addToCorpus, readCorpus, writeCorpus } from './corpora.js';
import type { Failure } from './executor.js';
import { SEARCHED } from './targets.js';
import { type PhaseResult, runPhase } from './thread.js';

// Fuzzes every parser of untrusted input: each throws only documented errors, needs less than a second, and
// accepts an input only with its correct meaning.
const USAGE = `Usage: npm run evidence -- fuzz [--seconds N] [--executions N] [--minutes N] [--corpora] [PARSER...]

Searches the named parsers, by default all, first guided by coverage, then at full speed.

  --seconds N     seconds of the guided search of each parser (60)
  --executions N  total inputs of each parser (10000000)
  --minutes N     maximum minutes of the search of a parser at full speed (60)
  --corpora       stores inputs that reach new code in test/corpora

SEED=N repeats the random numbers of a run. An input that fails is minimized, printed, and stored in test/corpora. An input that
makes a parser hang is only printed, because the tests read the stored inputs.

Parsers: ${Object.keys(SEARCHED).join(' ')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    executions: { type: 'string', default: '10000000' },
    minutes: { type: 'string', default: '60' },
    corpora: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(values.seconds);
const EXECUTIONS = Number(values.executions);
const MINUTES = Number(values.minutes);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
/** Inputs of each parser that are worth a file. */
const KEPT = 24;
const KEPT_BYTES = 512;

const isAsked = [SECONDS, EXECUTIONS, MINUTES, SEED].every((number) => Number.isFinite(number));
const areParsers = positionals.every((name) => Object.hasOwn(SEARCHED, name));
if (values.help || !isAsked || !areParsers) {
  process.stderr.write(USAGE);
  if (!values.help) process.exitCode = 2;
} else await searchAll(positionals.length > 0 ? positionals : Object.keys(SEARCHED));

/** Results of one parser. */
interface Searched {
  readonly executions: number;
  /** Inputs that the coverage-guided search kept. */
  readonly reached: number;
  readonly slowestMs: number;
  readonly failure?: { readonly kind: Failure['kind']; readonly input: string; readonly message: string };
}

async function searchAll(names: readonly string[]): Promise<void> {
  process.stderr.write(`SEED=${SEED}\n`);
  const targets: Record<string, Searched> = {};
  for (const name of names) {
    const searched = await search(name);
    process.stderr.write(`${name}: ${JSON.stringify(searched)}\n`);
    targets[name] = searched;
  }
  const all = Object.values(targets);
  const executions = all.map((one) => one.executions);
  const count = (kind: Failure['kind']): number => all.filter(({ failure }) => failure?.kind === kind).length;
  const failures = { crashes: count('crash'), hangs: count('hang') };
  const least = Math.min(...executions);
  report('fuzz', least > 0 && failures.crashes + failures.hangs === 0, {
    executions: executions.reduce((sum, one) => sum + one, 0),
    least,
    ...failures,
    slowestMs: Math.max(...all.map(({ slowestMs }) => slowestMs)),
    targets,
    secondsEach: SECONDS,
    seed: SEED,
  });
}

async function search(name: string): Promise<Searched> {
  const terms = { parser: name, seed: SEED };
  const guided = await runPhase({
    ...terms,
    isGuided: true,
    corpus: SABOTAGED ? [] : readCorpus(name),
    seconds: SECONDS,
    executions: EXECUTIONS,
  });
  const left = EXECUTIONS - guided.executions;
  const phases = [guided];
  if (!guided.failure && left > 0) {
    const blind = { ...terms, isGuided: false, corpus: guided.corpus };
    phases.push(await runPhase({ ...blind, seconds: MINUTES * 60, executions: left }));
  }
  const failure = phases.at(-1)?.failure;
  if (values.corpora && !failure) writeCorpus(name, worthKeeping(guided));
  if (failure) tell(name, failure);
  return {
    executions: phases.reduce((sum, { executions }) => sum + executions, 0),
    reached: guided.corpus.length,
    slowestMs: Math.round(Math.max(...phases.map(({ slowestMs }) => slowestMs))),
    ...(failure && { failure: { kind: failure.kind, ...inWords(failure) } }),
  };
}

function worthKeeping({ corpus }: PhaseResult): readonly Uint8Array[] {
  return corpus.filter(({ length }) => length <= KEPT_BYTES).slice(0, KEPT);
}

function tell(name: string, failure: Failure): void {
  process.stderr.write(`${name}: ${JSON.stringify(inWords(failure).input)}\n${failure.message}\n`);
  // A test that reads an input which does not end would not end either.
  if (failure.kind === 'crash' && !SABOTAGED) addToCorpus(name, failure.input);
}

function inWords({ input, message }: Failure): { readonly input: string; readonly message: string } {
  return { input: Buffer.from(input).toString('latin1'), message: message.split('\n', 1)[0] ?? '' };
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../test/docs/markdown.js';
import type { MutantReport } from './outcome.js';
import { type MutatedRoom, OTHER_PROCESSES } from './rooms.js';
import { type Sample, sampleVariable } from './sample.js';

/**
 * Version that is installed, from a registry, when it is needed, and removed afterwards:
 * https://stryker-mutator.io, Apache-2.0.
 */
const VERSION = '9.6.1';

/**
 * Time limit of a mutant in milliseconds, in addition to four times the time of the tests without it. A
 * timeout counts as detected, so a busy machine must not increase the score.
 */
const TIMEOUT_MS = 10_000;

/**
 * Mutants that one process tests sequentially; mutants of code that runs at load time each have a separate
 * process. With 1, a mutant cannot affect the next one, but the run takes several times as long.
 */
const REUSE = Number(process.env['MUTATION_REUSE'] ?? '100');

/** Installs Stryker into a folder; returns the reason if npm fails. */
export function installStryker(folder: string): string | undefined {
  const packages = ['core', 'mocha-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  mkdirSync(folder, { recursive: true });
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'test/package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const { status, stderr } = spawnSync(
    'npm',
    [
      ...['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder],
      ...[...packages, `mocha@${devDependencies['mocha'] ?? 'latest'}`],
    ],
    { encoding: 'utf8', timeout: 300_000 },
  );
  return status === 0 ? undefined : `npm could not install ${packages.join(' and ')}: ${stderr.trim()}`;
}

/** Folders of Stryker and of the mutated project. */
interface MutationRun {
  readonly tools: string;
  /** Laid out for this. */
  readonly project: string;
  readonly room: MutatedRoom;
  readonly sample: Sample;
}

/** Tests the mutants of a group; the output of Stryker goes to stderr. */
export async function tryMutants({ tools, project, room, sample }: MutationRun): Promise<MutantReport> {
  const report = join(project, 'mutants.json');
  const settings = join(project, 'stryker.config.json');
  writeFileSync(settings, JSON.stringify(settingsOf(room, report)));
  const program = join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [program, 'run', settings], {
    cwd: project,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...sampleVariable(sample), EVIDENCE_SABOTAGE: '0' },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`Stryker ended with ${code ?? 'a signal'}`);
  return JSON.parse(readFileSync(report, 'utf8')) as MutantReport;
}

/** https://stryker-mutator.io/docs/stryker-js/configuration */
function settingsOf({ sources, tests }: MutatedRoom, report: string): object {
  const compiled = (names: readonly string[]): readonly string[] => names.map((name) => `dist/${name}.js`);
  return {
    mutate: compiled(sources),
    inPlace: true,
    disableTypeChecks: false,
    plugins: ['@stryker-mutator/mocha-runner', new URL('sample-checker.js', import.meta.url).href],
    checkers: ['sample'],
    testRunner: 'mocha',
    mochaOptions: {
      'no-package': true,
      'no-config': true,
      require: compiled(['test/run/hooks']),
      spec: compiled(tests),
      grep: `^(?!.*(${OTHER_PROCESSES}))`,
    },
    coverageAnalysis: 'perTest',
    maxTestRunnerReuse: REUSE,
    concurrency: availableParallelism(),
    timeoutMS: TIMEOUT_MS,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    logLevel: 'warn',
    warnings: { slow: false },
  };
}

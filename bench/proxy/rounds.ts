import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.js';
import { type Abandoned, abandonCalls } from './abandoned.js';
import type { Contender } from './contender.js';
import type { Measurement } from './figures.js';
import type { Job } from './job.js';
import { runLoad } from './load.js';
import type { Options } from './options.js';
import type { Profile } from './profiles.js';
import type { Program } from './program.js';
import type { Requests } from './requests.js';
import { mergeOutcomes, sliceCount } from './slices.js';
import type { Upstream } from './upstream.js';

/** Parameters of the rounds. */
export interface Course {
  readonly contenders: readonly Contender[];
  readonly profiles: readonly Profile[];
  readonly options: Options;
  readonly folder: string;
  readonly upstream: Upstream;
  readonly requests: Requests;
  readonly publicKeyFile: string;
  readonly say: (text: string) => void;
}

/** All measurements. */
export interface Measured {
  readonly closed: readonly Measurement[];
  /** By the name of the rate. */
  readonly open: readonly { readonly rate: string; readonly measurements: readonly Measurement[] }[];
  /** By contender, of the last round. */
  readonly abandoned: Readonly<Record<string, Abandoned>>;
}

/** A running contender. */
interface Runner {
  readonly contender: Contender;
  readonly program: Program;
}

/** A round, or what is measured beside the rounds. */
interface Round extends Course {
  readonly round: number;
  readonly runners: readonly Runner[];
}

/** Runs the rounds: each round starts all contenders again, and measures them in turn with each profile. */
export async function runRounds(course: Course): Promise<Measured> {
  const closed: Measurement[] = [];
  const open = course.options.rates.map((rate) => ({
    rate: String(rate),
    measurements: [] as Measurement[],
  }));
  let abandoned: Record<string, Abandoned> = {};
  for (let round = 1; round <= course.options.rounds; round += 1) {
    const runners = await startAll(course, round);
    try {
      // Which contender is measured first alternates, so that no contender always has the warmer machine.
      const here = { ...course, round, runners: round % 2 === 0 ? runners.toReversed() : runners };
      const before = closed.length;
      for (const profile of course.profiles) closed.push(...(await closedRound(here, profile)));
      for (const { rate, measurements } of open)
        measurements.push(...(await openRound(here, rateOf(rate, closed.slice(before)))));
      abandoned = await abandonAll(here);
    } finally {
      await stopAll(course, runners);
    }
  }
  return { closed, open, abandoned };
}

async function startAll(course: Course, round: number): Promise<readonly Runner[]> {
  course.say(`round ${round} of ${course.options.rounds}`);
  const runners: Runner[] = [];
  for (const contender of course.contenders) {
    try {
      runners.push(await startContender(course, contender));
    } catch (error) {
      // The other contenders are still measured.
      course.say(`${contender.name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
  return runners;
}

/** Starts a contender in an empty folder, with a module that Node.js loads first if it is gatehouse. */
export async function startContender(
  { folder, upstream, publicKeyFile }: Course,
  contender: Contender,
  preload?: string,
): Promise<Runner> {
  const own = join(folder, contender.name);
  mkdirSync(own, { recursive: true });
  const place = { folder: own, port: await freePort(), upstreamPort: upstream.port, publicKeyFile };
  const program = await contender.start({ ...place, ...(preload !== undefined && { preload }) });
  return { contender, program };
}

async function stopAll({ folder }: Course, runners: readonly Runner[]): Promise<void> {
  await Promise.all(runners.map(({ program }) => program.stop()));
  // Logs and records of a round are hundreds of megabytes.
  for (const { contender } of runners) rmSync(join(folder, contender.name), { recursive: true, force: true });
}

async function closedRound(round: Round, profile: Profile): Promise<readonly Measurement[]> {
  const slices = sliceCount(round.options.seconds);
  const measured = new Map<Runner, Measurement[]>(round.runners.map((runner) => [runner, []]));
  for (let slice = 0; slice < slices; slice += 1)
    for (const [runner, mine] of measured)
      mine.push(await measureOne(round, runner, { profile, part: { isFirst: slice === 0, slices } }));
  return [...measured.values()].map(mergeMeasurements);
}

function mergeMeasurements(slices: readonly Measurement[]): Measurement {
  const [first] = slices;
  if (!first) throw new Error('a measurement without slices');
  const opened = slices.reduce((sum, one) => sum + one.opened, 0);
  return { ...first, outcome: mergeOutcomes(slices.map(({ outcome }) => outcome)), opened };
}

async function openRound(round: Round, rate: number | undefined): Promise<readonly Measurement[]> {
  const [profile] = round.profiles;
  if (!profile || rate === undefined) return [];
  const measurements: Measurement[] = [];
  for (const runner of round.runners) measurements.push(await measureOne(round, runner, { profile, rate }));
  return measurements;
}

/** Returns half of gatehouse's throughput in the closed loops of the first profile in this round. */
function rateOf(rate: string, closed: readonly Measurement[]): number | undefined {
  if (rate !== 'half') return Number(rate);
  const own = closed.find(({ contender }) => contender === 'gatehouse')?.outcome;
  return own && Math.round(own.replies / own.seconds / 2);
}

/** Connections of the open loop: more than are ever busy below the maximum throughput. */
const OPEN_CONNECTIONS = 64;

/** Replies of the first warm-up after a start: Node.js compiles code that runs often. */
const FIRST_WARM_REPLIES = 30_000;

/** Seconds of warming up before a slice of a closed loop, except the first. */
const SLICE_WARM = 0.25;

/** What is measured of a contender: a closed loop as a whole or in slices, or an open loop at a rate. */
interface Task {
  readonly profile: Profile;
  readonly rate?: number;
  readonly part?: { readonly isFirst: boolean; readonly slices: number };
}

/** Measures one contender. */
export async function measureOne(
  { requests, options, upstream, round, profiles }: Round,
  { contender, program }: Runner,
  { profile, rate, part = { isFirst: true, slices: 1 } }: Task,
): Promise<Measurement> {
  const isFirst = part.isFirst && profile === profiles[0] && rate === undefined;
  const job: Job = {
    ...requests.jobOf(contender, profile),
    port: program.port,
    pid: program.pid,
    warmMs: (part.isFirst ? options.warm : SLICE_WARM) * 1000,
    measureMs: (options.seconds * 1000) / part.slices,
    ...(isFirst && { warmReplies: FIRST_WARM_REPLIES }),
    ...(rate !== undefined && { rate, connections: OPEN_CONNECTIONS }),
  };
  const before = await upstream.opened();
  const outcome = await runLoad(job);
  const opened = (await upstream.opened()) - before;
  const names = { round, profile: profile.name, contender: contender.name };
  return { ...names, ...(rate !== undefined && { rate }), outcome, opened };
}

async function abandonAll({ runners, requests, upstream }: Round): Promise<Record<string, Abandoned>> {
  const all: Record<string, Abandoned> = {};
  for (const { contender, program } of runners)
    all[contender.name] = await abandonCalls(program.port, requests.hanging(contender), upstream);
  return all;
}

import { setTimeout as pause } from 'node:timers/promises';
import { makeIssuer } from '../../test/support/tokens.js';
import { type Figure, spread } from '../figure.js';
import { TOKENS } from '../proxy/contender.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse, writeAdapter } from '../proxy/gatehouse-server.js';
import type { Shot } from '../proxy/job.js';
import type { Program } from '../proxy/program.js';
import { quantile } from '../quantile.js';
import {
  load,
  newProgramOptions,
  type Part,
  type Setting,
  smallCalls,
  assertCorrect,
  tokenOf,
} from './part.js';

/** A call with much of anything may cost this multiple of a call with little. */
const MOST_RATIO = 1.15;

/** Cost of a call with many adapters, with many callers and after many reloads. */
export const scale: Part = {
  name: 'scale',
  async measure(setting) {
    // Signing 100,000 tokens with RS256 would take minutes.
    const issuer = makeIssuer({ algorithm: 'ES256', issuer: TOKENS.issuer });
    const signing = { ...setting, issuer };
    try {
      return [
        ...(await series(signing, 'adapters', [1, 100, 10_000])),
        ...(await series(signing, 'callers', [1, 256, 100_000])),
        ...(await series(signing, 'reloads', [0, 100])),
      ];
    } finally {
      issuer.remove();
    }
  },
};

/** Load in addition to the measured call. */
interface Crowd {
  readonly adapters?: number;
  readonly callers?: number;
  /** Done before. */
  readonly reloads?: number;
}

/** Measures the servers of a series in turns, because other work on the machine changes within seconds. */
async function series(
  setting: Setting,
  what: keyof Crowd,
  counts: readonly number[],
): Promise<readonly Figure[]> {
  const servers: CrowdedServer[] = [];
  try {
    for (const count of counts) servers.push(await openServer(setting, { [what]: count }));
    const rounds: number[][] = [];
    for (let round = 0; round < setting.rounds; round += 1) {
      const costs: number[] = [];
      for (const server of servers) costs.push(await costOf(server, setting, round));
      rounds.push(costs);
    }
    return counts.flatMap((count, at) =>
      figuresOf(`call, ${what}: ${count.toLocaleString('en')}`, rounds, at),
    );
  } finally {
    for (const { program } of servers) await program.stop();
  }
}

/** Returns the cost with one of the crowds, and its ratio to the first within each round. */
function figuresOf(what: string, rounds: readonly (readonly number[])[], at: number): readonly Figure[] {
  const costs = rounds.map((round) => round[at] ?? Number.NaN);
  const cost: Figure = { what, unit: 'us CPU', ...spread(costs) };
  if (at === 0) return [cost];
  const ratios = rounds.map((round, index) => (costs[index] ?? Number.NaN) / (round[0] ?? Number.NaN));
  const median = quantile(ratios, 0.5);
  return [cost, { what: `${what}, to the first`, unit: 'times', median, target: { most: MOST_RATIO } }];
}

interface CrowdedServer {
  readonly program: Program;
  /** One call of each caller. */
  readonly shots: readonly Shot[];
}

/** Exceeds the time of a reload of one adapter. */
const RELOAD_MS = 100;
/** Replies until the code is compiled. */
const WARM_REPLIES = 10_000;
/** Least time for each reply of the warm-up, in milliseconds; a busy machine may take ten times as long. */
const WARM_REPLY_MS = 0.5;

/** Starts a server. Its code is compiled then, and it has verified the token of each caller. */
async function openServer(
  setting: Setting,
  { adapters = 1, callers = 1, reloads = 0 }: Crowd,
): Promise<CrowdedServer> {
  const place = await newProgramOptions(setting);
  const program = await startGatehouse(place, { adapters, algorithm: 'ES256' });
  for (let done = 0; done < reloads; done += 1) {
    writeAdapter(place, 'bench', `timeouts: { totalMs: ${10_000 + done} }\n`);
    process.kill(program.pid, 'SIGHUP');
    await pause(RELOAD_MS);
  }
  const tokens = Array.from({ length: callers }, (_, at) => tokenOf(setting.issuer, `caller-${at}`));
  const job = smallCalls(tokens);
  const warmReplies = Math.max(callers, WARM_REPLIES);
  const warm = await load(program, { ...job, warmReplies, warmMs: warmReplies * WARM_REPLY_MS }, 1);
  if (warm.isCold) throw new Error(`${warmReplies} replies took too long`);
  return { program, shots: job.shots };
}

/** Measures calls of callers who have called before; each round begins with others of them. */
async function costOf({ program, shots }: CrowdedServer, setting: Setting, round: number): Promise<number> {
  const from = Math.floor((round * shots.length) / setting.rounds);
  const job = { ...smallCalls([]), shots: [...shots.slice(from), ...shots.slice(0, from)] };
  return cpuPerRequest(assertCorrect(await load(program, job, setting.seconds)));
}

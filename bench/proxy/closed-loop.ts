import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.js';
import { cpuPerRequest } from './figures.js';
import type { Job, Outcome } from './job.js';
import { LoadTally } from './tally.js';

/** Milliseconds between two requests without the required role. */
const STRANGER_MS = 50;

/** A warm-up ends after this multiple of its time, whatever the number of replies. */
const LONGEST_WARM_UP = 10;

/** Milliseconds between two looks at the number of replies, and of a slice whose cost is compared with the one before. */
const [WARM_CHECK_MS, WARM_SLICE_MS] = [50, 1000];

/** Two slices cost the same if they differ by less than this fraction. */
const WARM_SPREAD = 0.05;

/** How the warm-up waits, and measures time in milliseconds. */
interface WarmUpClock {
  readonly pause: (ms: number) => Promise<unknown>;
  readonly now: () => number;
}

const CLOCK: WarmUpClock = { pause, now: () => performance.now() };

/**
 * Runs a closed loop: every connection sends the next request right after the reply. Measures the maximum
 * throughput of the contender and its cost.
 */
export async function closedLoop(job: Job): Promise<Outcome> {
  const tally = new LoadTally(job);
  const connections = Array.from({ length: job.connections }, () => new Connection(job.port));
  for (const connection of connections) keepAsking(connection, tally);
  const unknownCaller =
    job.unknownCaller === undefined ? undefined : sendStranger(job.port, job.unknownCaller, tally);
  const isWarm = await warmUp(job, tally);
  tally.begin();
  await pause(job.measureMs);
  const outcome = tally.end();
  unknownCaller?.end();
  for (const connection of connections) connection.end();
  return isWarm ? outcome : { ...outcome, isCold: true };
}

/**
 * Waits for the time of the warm-up. If it has a number of replies, also waits for these, because compilers go by calls, and
 * until two slices in turn cost about the same. Returns false if that took too long.
 */
export async function warmUp(
  { warmMs, warmReplies }: Pick<Job, 'warmMs' | 'warmReplies'>,
  tally: Pick<LoadTally, 'replies' | 'begin' | 'end'>,
  { pause, now }: WarmUpClock = CLOCK,
): Promise<boolean> {
  const until = now() + warmMs * LONGEST_WARM_UP;
  await pause(warmMs);
  if (warmReplies === undefined) return true;
  while (tally.replies < warmReplies && now() < until) await pause(WARM_CHECK_MS);
  for (let before = Number.NaN; now() < until;) {
    tally.begin();
    await pause(WARM_SLICE_MS);
    const cost = cpuPerRequest(tally.end());
    if (Math.abs(cost / before - 1) < WARM_SPREAD) return true;
    before = cost;
  }
  return false;
}

function keepAsking(connection: Connection, tally: LoadTally): void {
  const ask = (): void => {
    const { request, keeps, judge } = tally.deal();
    connection.send(request, keeps, (reply) => {
      judge(reply);
      // Stops at a failed connection: it would otherwise send requests to a stopped contender without end.
      if (reply) ask();
      else setTimeout(ask, STRANGER_MS);
    });
  };
  ask();
}

/** Sends occasional requests with a token that lacks the role, while the others are served. */
function sendStranger(port: number, text: string, tally: LoadTally): Connection {
  const connection = new Connection(port);
  const request = Buffer.from(text);
  const ask = (): void => {
    connection.send(request, false, (reply) => {
      tally.judgeStranger(reply);
      setTimeout(ask, STRANGER_MS).unref();
    });
  };
  ask();
  return connection;
}

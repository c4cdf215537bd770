import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../quantile.js';
import { Connection } from './connection.js';
import type { Job, Outcome, Quantiles } from './job.js';
import { LoadTally } from './tally.js';

/** Time limit in milliseconds for pending replies after the last request; later replies count as wrong. */
const TIMEOUT_MS = 3000;

/**
 * Runs an open loop: requests are due at fixed times, independent of earlier requests. Latency is measured
 * from the due time, so that a stalled contender is charged for all requests that it delays.
 */
export async function openLoop(job: Job & { readonly rate: number }): Promise<Outcome> {
  const tally = new LoadTally(job);
  const connections = Array.from({ length: job.connections }, () => new Connection(job.port));
  if (job.warmMs > 0) await sendAll(connections, tally, dueTimes(job.rate, job.warmMs));
  tally.begin();
  const latencies = await sendAll(connections, tally, dueTimes(job.rate, job.measureMs));
  const outcome = tally.end();
  for (const connection of connections) connection.end();
  return { ...outcome, latency: quantilesOf(latencies) };
}

/** Returns the due times of requests, in milliseconds from the start. */
export function dueTimes(rate: number, ms: number): Float64Array {
  return Float64Array.from({ length: Math.floor((rate * ms) / 1000) }, (_, at) => (at * 1000) / rate);
}

/** The usual four of all latencies. */
export function quantilesOf(latencies: Float64Array): Quantiles {
  const [p50 = 0, p90 = 0, p99 = 0, p999 = 0] = [0.5, 0.9, 0.99, 0.999].map((share) =>
    quantile(latencies, share),
  );
  return { p50, p90, p99, p999 };
}

async function sendAll(
  all: readonly Connection[],
  tally: LoadTally,
  due: Float64Array,
): Promise<Float64Array> {
  const latencies = new Float64Array(due.length).fill(TIMEOUT_MS);
  const free = [...all];
  const start = performance.now();
  let sent = 0;
  let answered = 0;
  const sendDue = (): void => {
    const now = performance.now() - start;
    for (; sent < due.length && (due[sent] ?? 0) <= now; sent += 1) {
      const connection = free.pop();
      if (!connection) return;
      sendOne(connection, sent);
    }
  };
  const sendOne = (connection: Connection, at: number): void => {
    const { request, keeps, judge } = tally.deal();
    connection.send(request, keeps, (reply) => {
      judge(reply);
      latencies[at] = performance.now() - start - (due[at] ?? 0);
      answered += 1;
      free.push(connection);
      sendDue();
    });
  };
  const until = (due.at(-1) ?? 0) + TIMEOUT_MS;
  while (answered < due.length && performance.now() - start < until) {
    sendDue();
    await pause(1);
  }
  return latencies;
}

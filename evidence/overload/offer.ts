import { setTimeout as pause } from 'node:timers/promises';
import { ask, Connection } from '../../bench/proxy/connection.js';
import { percentile } from '../load.js';

/** Properties of callers. */
export interface CallerGroups {
  readonly request: Buffer;
  /** All connections; a call without a free connection waits in the caller. */
  readonly connections: readonly Connection[];
  /** Milliseconds after its due time when the caller of a call gives up. */
  readonly patienceMs: number;
}

/** Results of the calls that were due in a period. */
export interface Offered {
  readonly perSecond: number;
  /** Calls per second that were answered with 200 before their callers gave up. */
  readonly goodPerSecond: number;
  /** 99th percentile of these, from the time that they were due, in milliseconds. */
  readonly goodP99Ms: number;
  /** Fraction of all calls with the reply 503. */
  readonly refusedPart: number;
  /** 50th and 99th percentile of these, from the time that they were sent. */
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
}

/** Opens connections one after the other. */
export async function openConnections(port: number, count: number): Promise<readonly Connection[]> {
  const connections = Array.from({ length: count }, () => new Connection(port));
  const request = Buffer.from('GET /status HTTP/1.1\r\nHost: gatehouse\r\n\r\n');
  for (const connection of connections) await ask(connection, request);
  return connections;
}

/** The limit is found in this time, which is not measured. */
const WARM_SECONDS = 5;

/**
 * Sends calls at a constant rate, independent of earlier calls (open loop). Calls whose callers give up
 * before a connection is free are never sent.
 */
export async function offer(callers: CallerGroups, perSecond: number, seconds: number): Promise<Offered> {
  const { request, patienceMs } = callers;
  const endMs = (WARM_SECONDS + seconds) * 1_000;
  const free = [...callers.connections];
  const [good, refused]: [number[], number[]] = [[], []];
  const start = performance.now();
  const now = (): number => performance.now() - start;
  const dueAt = (call: number): number => (call * 1_000) / perSecond;
  const send = (connection: Connection, call: number, sentAt: number): void => {
    const isCounted = dueAt(call) >= WARM_SECONDS * 1_000;
    connection.send(request, false, (reply) => {
      free.push(connection);
      if (!isCounted) return;
      const at = now();
      if (reply?.status === 503) refused.push(at - sentAt);
      if (reply?.status === 200 && at - dueAt(call) <= patienceMs) good.push(at - dueAt(call));
    });
  };
  let next = 0;
  while (now() < endMs) {
    const at = now();
    // Gives up calls whose time limit has passed.
    while (dueAt(next) < at - patienceMs) next += 1;
    for (; dueAt(next) <= at && free.length > 0; next += 1) {
      const connection = free.pop();
      if (connection) send(connection, next, at);
    }
    await pause(1);
  }
  while (free.length < callers.connections.length) await pause(1);
  return {
    perSecond,
    goodPerSecond: Math.round(good.length / seconds),
    goodP99Ms: Math.round(percentile(good, 99)),
    refusedPart: refused.length / (perSecond * seconds),
    refusedP50Ms: round(percentile(refused, 50)),
    refusedP99Ms: round(percentile(refused, 99)),
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

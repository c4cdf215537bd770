import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ServerSettings } from '../../src/settings/settings.js';
import { SERVER, startHttpTestServer, TOKENS } from '../../test/support/http-server.js';
import { percentile } from '../load.js';
import type { Findings } from '../report.js';

interface SlowOptions {
  readonly limits: Partial<ServerSettings['limits']>;
  /** Connections that attack at the same time. */
  readonly attackers: number;
  /** Interval between two bytes on a connection. */
  readonly dripMs: number;
  /** How long they may be there. */
  readonly patienceMs: number;
}

const BODY = `POST /demo/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKENS.admin}\r\nContent-Type: application/json\r\n`;

/** Interval between the calls of the normal caller. */
const BETWEEN_CALLS_MS = 5;

/**
 * Data that is sent immediately, before the slow bytes: part of a head, of a body with its length, of chunks,
 * or nothing.
 */
const BEGINNINGS = [
  'GET /demo/status HTTP/1.1\r\nHost: a\r\nX: ',
  `${BODY}Content-Length: 900\r\n\r\n{"name":"`,
  `${BODY}Transfer-Encoding: chunked\r\n\r\n384\r\n{"name":"`,
  '',
];

/**
 * H3: measures a normal caller beside connections that send a byte now and then until the server ends them.
 */
export async function measureSlow({ limits, attackers, dripMs, patienceMs }: SlowOptions): Promise<Findings> {
  const house = await startHttpTestServer({
    limits: { connections: attackers + 100, connectionsPerAddress: attackers + 100, ...limits },
  });
  const { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs } = { ...SERVER.limits, ...limits };
  // An attacker whose request is refused at once shows nothing about slow ones.
  const leastMs = Math.min(requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs) / 2;
  const alone = await callFor(house.url, () => Promise.resolve());
  const begun = performance.now();
  const attack = startAttack(house.port, attackers, dripMs);
  const beside = await callFor(house.url, () => Promise.race([attack.over, pause(patienceMs)]));
  const [left, soonestMs] = [attack.left(), attack.soonestMs()];
  const lastedMs = Math.round(performance.now() - begun);
  attack.stop();
  await house.close();
  return {
    holds: left === 0 && soonestMs >= leastMs && alone.failed + beside.failed === 0,
    figures: {
      attackers,
      left,
      soonestMs,
      lastedMs,
      calls: beside.times.length,
      failed: alone.failed + beside.failed,
      p99AloneMs: percentile(alone.times, 99),
      p99BesideMs: percentile(beside.times, 99),
    },
  };
}

/** Makes sequential calls, at least a hundred, until the wait is over. */
async function callFor(
  url: string,
  wait: () => Promise<unknown>,
): Promise<{ readonly times: readonly number[]; readonly failed: number }> {
  const times: number[] = [];
  let [failed, isOver] = [0, false];
  void wait().then(() => (isOver = true));
  while (!isOver || times.length < 100) {
    const begun = performance.now();
    const status = await fetch(`${url}/demo/status`).then(
      async (reply) => (await reply.arrayBuffer(), reply.status),
      () => 0,
    );
    if (status !== 200) failed += 1;
    times.push(performance.now() - begun);
    await pause(BETWEEN_CALLS_MS);
  }
  return { times, failed };
}

function startAttack(
  port: number,
  attackers: number,
  dripMs: number,
): { readonly over: Promise<unknown>; left(): number; soonestMs(): number; stop(): void } {
  const sockets = new Set<Socket>();
  const ends: Promise<unknown>[] = [];
  const begun = performance.now();
  let soonestMs = Infinity;
  for (let at = 0; at < attackers; at += 1) {
    const socket = connect(port, '127.0.0.1');
    const prefix = BEGINNINGS[at % BEGINNINGS.length] ?? '';
    socket.on('error', () => undefined).resume();
    socket.once('connect', () => {
      socket.write(prefix);
    });
    const timer = setInterval(() => prefix !== '' && socket.writable && socket.write('a'), dripMs);
    const end = once(socket, 'close').then(() => {
      clearInterval(timer);
      soonestMs = Math.min(soonestMs, performance.now() - begun);
      sockets.delete(socket);
    });
    sockets.add(socket);
    ends.push(end);
  }
  return {
    over: Promise.all(ends),
    left: () => sockets.size,
    soonestMs: () => Math.round(soonestMs),
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

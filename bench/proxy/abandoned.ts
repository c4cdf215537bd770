import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Upstream } from './upstream.js';

/** Callers whose calls never get a reply, and that disconnect. */
const CALLERS = 20;

/** Milliseconds for the calls to arrive, and later for their release. */
const TIMEOUT_MS = 2000;

/** Results of calls to the upstream whose callers disconnected. */
export interface Abandoned {
  readonly arrived: number;
  /** Calls that were not with the upstream when their callers disconnected: nothing is known of these. */
  readonly missing: number;
  /** Calls that the upstream still holds. */
  readonly held: number;
}

/** Disconnects callers before the reply; a contender that keeps their calls leaks one socket for each. */
export async function abandonCalls(port: number, request: string, upstream: Upstream): Promise<Abandoned> {
  const before = await upstream.hanging();
  const sockets = await Promise.all(Array.from({ length: CALLERS }, () => ask(port, request)));
  const arrived = (await settled(upstream, (count) => count >= before + CALLERS)) - before;
  for (const socket of sockets) socket.destroy();
  const held = (await settled(upstream, (count) => count <= before)) - before;
  return { arrived, missing: CALLERS - arrived, held };
}

async function ask(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

/** Returns the number of pending calls as soon as it is the expected one, or at the time limit. */
async function settled(upstream: Upstream, isRight: (count: number) => boolean): Promise<number> {
  const until = performance.now() + TIMEOUT_MS;
  let count = await upstream.hanging();
  while (!isRight(count) && performance.now() < until) {
    await pause(20);
    count = await upstream.hanging();
  }
  return count;
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Upstream } from './upstream.js';

/** Callers who ask for what never comes, and leave. */
const CALLERS = 20;

/** Milliseconds for the calls to arrive, and later to be let go. */
const TIMEOUT_MS = 2000;

/** What became of the calls to the upstream whose callers had left. */
export interface Abandoned {
  readonly arrived: number;
  /** Still under way at the upstream. */
  readonly held: number;
}

/** Has callers leave before the reply; a contender that holds on to their calls leaks a socket with each. */
export async function abandonCalls(port: number, request: string, upstream: Upstream): Promise<Abandoned> {
  const before = await upstream.hanging();
  const sockets = await Promise.all(Array.from({ length: CALLERS }, () => ask(port, request)));
  const arrived = (await settled(upstream, (count) => count >= before + CALLERS)) - before;
  for (const socket of sockets) socket.destroy();
  const held = (await settled(upstream, (count) => count <= before)) - before;
  return { arrived, held };
}

async function ask(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

/** The number of calls under way once it is as it should be, or when patience has ended. */
async function settled(upstream: Upstream, isRight: (count: number) => boolean): Promise<number> {
  const until = performance.now() + TIMEOUT_MS;
  let count = await upstream.hanging();
  while (!isRight(count) && performance.now() < until) {
    await pause(20);
    count = await upstream.hanging();
  }
  return count;
}

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './target.js';

/** Connections of a flood that stay open until the server or the flood closes them. */
interface HeldSockets {
  readonly opened: () => number;
  /** Connections that the server has not closed. */
  readonly held: () => number;
  /** Connections that have got any bytes. */
  readonly answered: () => number;
  readonly close: () => void;
}

interface HeldSocketsOptions {
  readonly count: number;
  /** Sent on each connection. */
  readonly bytes: readonly Buffer[];
  /** Own address. */
  readonly from: string;
  /** True reads nothing that comes. */
  readonly isDeaf?: boolean;
}

/** Connections that are begun at a time: fewer than the kernel queues for a listener. */
const BATCH = 100;
const BETWEEN_BATCHES_MS = 20;

/** Opens connections in batches, and sends the same bytes on each. */
export async function holdSockets({ port }: Target, options: HeldSocketsOptions): Promise<HeldSockets> {
  const sockets = new Set<Socket>();
  let [opened, answered] = [0, 0];
  for (let at = 0; at < options.count; at += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: options.from });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('connect', () => {
      opened += 1;
      for (const bytes of options.bytes) socket.write(bytes);
    });
    if (options.isDeaf) socket.pause();
    else {
      socket.once('data', () => (answered += 1));
      socket.resume();
    }
    if (at % BATCH === BATCH - 1) await pause(BETWEEN_BATCHES_MS);
  }
  return {
    opened: () => opened,
    answered: () => answered,
    held: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.js';

/** Behavior of a peer on one connection, byte by byte. */
export type Script = (socket: Socket) => void;

export interface HostileUpstream {
  readonly port: number;
  readonly origin: string;
  connections(): number;
  /** Returns everything received so far, one text for each connection. */
  received(): readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a TCP peer on 127.0.0.1. It runs the first script on the first connection and so on; the last script
 * serves all later connections.
 */
export async function startHostileUpstream(
  scripts: readonly [Script, ...Script[]],
  host = '127.0.0.1',
): Promise<HostileUpstream> {
  const received: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const at = received.push('') - 1;
    // A test that fails must not keep the process from ending.
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (received[at] = (received[at] ?? '') + chunk.toString('latin1')));
    (scripts[Math.min(at, scripts.length - 1)] ?? scripts[0])(socket);
  });
  const { port, close } = await listenOnLoopback(server.unref(), { host });
  return {
    port,
    origin: `http://${host}:${port}`,
    connections: () => received.length,
    received: () => received,
    close,
  };
}

/** Runs the action for every request head that arrives, with its text; bodies are ignored. */
export function onRequest(act: (socket: Socket, head: string) => void): Script {
  return (socket) => {
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const head = pending.slice(0, end);
        pending = pending.slice(end + 4);
        act(socket, head);
      }
    });
  };
}

/** Answers every request with these bytes. */
export function answer(bytes: string | Buffer): Script {
  return onRequest((socket) => socket.write(bytes));
}

export function answerAndClose(bytes: string | Buffer): Script {
  return onRequest((socket) => socket.end(bytes));
}

/** Answers with these bytes and resets the connection once they are out. */
export function answerAndReset(bytes: string): Script {
  return onRequest((socket) => {
    // A reset may overtake bytes that the other side has not read yet.
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 50));
  });
}

/**
 * Returns a script that replies with `prefix`, then repeats the same bytes without end, as fast as the
 * client reads.
 */
export function flood(prefix: string, bytes: string | Buffer): Script {
  return onRequest((socket) => {
    const pourBody = () => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.write(prefix);
    socket.on('drain', pourBody);
    pourBody();
  });
}

/** Returns a script that replies with `prefix`, then sends the same byte at an interval without end. */
export function drip(prefix: string, byte: string): Script {
  return onRequest((socket) => {
    socket.write(prefix);
    const timer = setInterval(() => socket.write(byte), 10);
    socket.on('close', () => {
      clearInterval(timer);
    });
  });
}

/** A correct reply that contains the target of its request. */
export const correct: Script = onRequest((socket, head) => {
  const target = head.split(' ')[1] ?? '';
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${target.length}\r\n\r\n${target}`);
});

import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends exactly the given bytes and keeps all received bytes. */
export interface RawPeer {
  /** Sends text as Latin-1, or bytes. */
  readonly send: (data: string | Buffer) => void;
  /** All bytes so far as Latin-1, once they match. Rejects when the connection closes or 5 s pass before. */
  until(pattern: RegExp): Promise<string>;
  /** All bytes, once the connection is closed by the server. Rejects after 5 s. */
  closed(): Promise<string>;
  /** Stops reading. */
  pause(): void;
  resume(): void;
  /** Sends the end of the connection (FIN). */
  end(): void;
  /** Destroys the connection without notice. */
  destroy(): void;
}

const TIMEOUT_MS = 5_000;

/** Connects to a port of this machine, from this address of the machine. */
export async function rawPeer(port: number, localAddress = '127.0.0.1'): Promise<RawPeer> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  const listeners = new Set<() => void>();
  let ended = false;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const text = () => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    tell();
  });
  socket.on('close', () => {
    ended = true;
    tell();
  });
  // A reset also closes the connection; only the bytes received before it count.
  socket.on('error', () => undefined);

  function when(holds: () => boolean, what: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(settle, TIMEOUT_MS, `not in ${TIMEOUT_MS} ms`);
      function settle(fault?: string): void {
        clearTimeout(timer);
        listeners.delete(look);
        if (fault === undefined) resolve(text());
        else reject(new Error(`${what}: ${fault}; received:\n${text()}`));
      }
      function look(): void {
        if (holds()) settle();
        else if (ended) settle('the connection closed');
      }
      listeners.add(look);
      look();
    });
  }

  return {
    send: (data) => socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data),
    until: (pattern) => when(() => pattern.test(text()), String(pattern)),
    closed: () => when(() => ended, 'close'),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  };
}

/** Connects, and sends text as Latin-1 or bytes. */
export async function sendRaw(port: number, message: string | Buffer, from?: string): Promise<RawPeer> {
  const peer = await rawPeer(port, from);
  peer.send(message);
  return peer;
}

/** Sends one message and returns everything received until the server closes the connection. */
export async function rawExchange(port: number, message: string | Buffer): Promise<string> {
  const peer = await sendRaw(port, message);
  try {
    return await peer.closed();
  } finally {
    peer.destroy();
  }
}

/** Status codes of the answers in a stream of bytes, in order. */
export function statusesIn(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

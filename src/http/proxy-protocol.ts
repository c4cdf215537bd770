import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../core/log.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { type IsTrustedProxy, peerAddress, setPeerAddress } from './client-address.js';
import { parseProxyHeader, type ProxyProtocolVersions } from './proxy-header.js';

interface ProxyProtocolOptions {
  readonly accepts: ProxyProtocolVersions;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Maximum time until the header has arrived, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the header has named the client. Returns false if the server must close the connection. */
  readonly readmit: (socket: Socket) => boolean;
  readonly log: Log;
  readonly scheduler?: Scheduler;
}

/** Minimum time between two log lines, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;

/** Listener of Node's server for a new connection. */
type ServeConnection = (socket: Socket) => void;

/**
 * Makes a server read a PROXY header at the start of each connection of a trusted proxy, before TLS and HTTP. It
 * closes a connection whose header is missing, invalid or late. Connections of other peers have no header: one that
 * they send is a malformed request. Call it before other listeners for `connection` are added.
 */
export function expectProxyHeaders(server: Server, options: ProxyProtocolOptions): void {
  const listeners = server.listeners('connection') as ServeConnection[];
  server.removeAllListeners('connection');
  const serve: ServeConnection = (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const refuse = createRefusal(options);
  // An upgrade that the server ignores emits a connection a second time.
  const identified = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    if (identified.has(socket) || !options.isTrustedProxy(peerAddress(socket))) {
      serve(socket);
      return;
    }
    identified.add(socket);
    readHeader(socket, options, (outcome) => {
      if ('reason' in outcome) {
        refuse(socket, outcome.reason);
        return;
      }
      if (outcome.source !== undefined) setPeerAddress(socket, outcome.source);
      if (options.readmit(socket)) serve(socket);
      else socket.destroy();
    });
  });
}

/** What a connection started with: a header, whose source may be unknown, or the reason of a refusal. */
type HeaderOutcome = { readonly source?: string | undefined } | { readonly reason: string };

/** Reads the header. Calls `onOutcome` once, unless the connection closes before. */
function readHeader(
  socket: Socket,
  { accepts, timeoutMs, scheduler = systemScheduler }: ProxyProtocolOptions,
  onOutcome: (outcome: HeaderOutcome) => void,
): void {
  let received = Buffer.alloc(0);
  const finish = (outcome?: HeaderOutcome): void => {
    cancelTimeout();
    socket.off('readable', read).off('end', onEnd).off('error', onEnd).off('close', onClose);
    if (outcome) onOutcome(outcome);
  };
  const read = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const header = parseProxyHeader(received, accepts);
    if (header.state === 'incomplete') return;
    if (header.state === 'invalid') {
      finish({ reason: header.reason });
      return;
    }
    if (header.length < received.length) socket.unshift(received.subarray(header.length));
    finish({ source: header.source });
    // The listener `readable` has paused the connection.
    if (!socket.destroyed) socket.resume();
  };
  const onEnd = (): void => {
    finish();
    socket.destroy();
  };
  const onClose = (): void => {
    finish();
  };
  const cancelTimeout = scheduler.after(timeoutMs, () => {
    finish({ reason: 'the PROXY header did not arrive in time' });
  });
  socket.on('readable', read).once('end', onEnd).once('error', onEnd).once('close', onClose);
}

/** Creates the function that closes a connection without a valid header, and logs at most one line per minute. */
function createRefusal({
  log,
  scheduler = systemScheduler,
}: ProxyProtocolOptions): (socket: Socket, reason: string) => void {
  const cooldown = createCooldown(scheduler, LOG_INTERVAL_MS);
  let refused = 0;
  return (socket, reason) => {
    refused += 1;
    const proxy = peerAddress(socket);
    // Without a listener, a late error of the connection would end the process.
    socket.on('error', () => undefined).destroy();
    if (cooldown() > 0) return;
    log.warn('connections of a trusted proxy had no valid PROXY header; they were closed', {
      proxy,
      reason,
      closed: refused,
      setting: 'server.proxyProtocol',
    });
    refused = 0;
  };
}

import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { type Scheduler, systemScheduler } from '../core/lib/clock.js';
import type { TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { openTunnel } from './tunnel.js';

/** How to speak TLS to a peer. */
export interface Security {
  readonly context: SecureContext;
  readonly serverName?: string | undefined;
  readonly insecure: boolean;
}

/** Where to connect to, and how. */
export interface Peer {
  /** Name or address to connect to, IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** `host:port` to ask the proxy at `address` for; absent where `address` is the target itself. */
  readonly tunnelTo?: string;
  /** Name that the certificate must be for; absent for plain TCP. */
  readonly secure?: { readonly name: string; readonly security: Security };
  /** Looks at the connected socket before a byte is written; what it throws ends the connection. */
  readonly inspect?: (socket: Socket) => void;
}

/** Reads PEM material once for many connections; TLS 1.2 is the oldest version. Throws on PEM that is none. */
export function createSecurity(tls: TlsMaterial = {}): Security {
  const { serverName, insecure = false } = tls;
  return { context: contextOf(tls), serverName, insecure };
}

const OLDEST = 'TLSv1.2';
let usual: SecureContext | undefined;

/** Peers without material of their own share one context: it costs a millisecond, and there may be thousands of them. */
function contextOf({ ca, cert, key }: TlsMaterial): SecureContext {
  if (ca === undefined && cert === undefined && key === undefined)
    return (usual ??= createSecureContext({ minVersion: OLDEST }));
  return createSecureContext({ ca, cert, key: key?.reveal(), minVersion: OLDEST });
}

/** How long connecting may take, TLS included, and what ends it early. */
export interface DialTerms {
  readonly connectMs: number;
  readonly signal?: AbortSignal;
  /** Absent: the timers of the system. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Connects, with TLS where the peer asks for it. Throws `upstream_timeout` after `connectMs`, the signal's reason when
 * it fires, and else the errors of Node; the socket is then destroyed.
 */
export async function dial(
  peer: Peer,
  { connectMs, signal, scheduler = systemScheduler }: DialTerms,
): Promise<Socket> {
  signal?.throwIfAborted();
  // Not AbortSignal.any over AbortSignal.timeout: on Node 20 a garbage collection can lose those before they fire.
  const stopper = new AbortController();
  const leave = () => {
    stopper.abort(signal?.reason);
  };
  const cancel = scheduler.after(connectMs, () => {
    stopper.abort(connectTimeout(connectMs));
  });
  signal?.addEventListener('abort', leave, { once: true });
  const socket = quiet(connectTcp({ host: peer.address, port: peer.port, noDelay: true, keepAlive: true }));
  try {
    return await establish(socket, peer, stopper.signal);
  } catch (error) {
    socket.destroy();
    stopper.signal.throwIfAborted();
    throw error;
  } finally {
    cancel();
    signal?.removeEventListener('abort', leave);
  }
}

function connectTimeout(ms: number): Problem {
  return new Problem('upstream_timeout', `no connection to the target within ${Math.round(ms)} ms`);
}

async function establish(socket: Socket, peer: Peer, signal: AbortSignal): Promise<Socket> {
  await once(socket, 'connect', { signal });
  peer.inspect?.(socket);
  if (peer.tunnelTo !== undefined) await openTunnel(socket, peer.tunnelTo, signal);
  return peer.secure ? handshake(socket, peer.secure, signal) : socket;
}

async function handshake(
  socket: Socket,
  { name, security }: NonNullable<Peer['secure']>,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const expected = security.serverName ?? name;
  const secured = quiet(
    connectTls({
      socket,
      host: expected,
      // An address is checked against the certificate but never asked for (RFC 6066 section 3).
      ...(isIP(expected) === 0 && { servername: expected }),
      secureContext: security.context,
      // Said always, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: !security.insecure,
      ALPNProtocols: ['http/1.1'],
    }),
  );
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/** An error after the one that was waited for must not end the process. */
function quiet<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

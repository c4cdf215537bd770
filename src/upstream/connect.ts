import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { HttpClientOptions, TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';
import { untilAborted } from '../lib/timeout.js';
import type { ConnectionReuse } from './connection-reuse.js';
import { proxyFailureOf, proxyRefusal } from './failure.js';
import { InterimReplies } from './interim-replies.js';

export interface ConnectorOptions extends HttpClientOptions {
  /** Absent: system timers. */
  readonly scheduler?: Scheduler | undefined;
  /** True sends a body that the method gives no meaning on a connection for this request alone. */
  readonly isolateBodies?: boolean;
  /** Checks each connection before any byte is written; an error closes it. */
  readonly inspect?: InspectConnection | undefined;
  /** Decides whether connections are reused. Absent: they are, as long as the target does not drop them. */
  readonly reuse?: ConnectionReuse | undefined;
}

/** Checks a connection to a target, or to the proxy in front of it, and the address that it leads to. */
export type InspectConnection = (target: DialTarget, address: string) => Promise<void>;

/** The connection target of a URL. */
export interface DialTarget {
  /** IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Opens a connection to a target; the signal cancels it. Throws the errors of `dial`. */
export type Connector = (target: DialTarget, signal?: AbortSignal) => Promise<Socket>;

const CONNECT_MS = 10_000;

/** Creates a connector with TLS material, proxy and timeout. Throws on TLS material that is not PEM. */
export function createConnector({
  tls,
  connectMs = CONNECT_MS,
  scheduler,
  proxy,
  inspect,
}: ConnectorOptions): Connector {
  const security = createSecurity(tls);
  return ({ hostname, port, isSecure }, signal) => {
    const target = { address: hostname, port };
    const peer = proxy === undefined ? target : proxyPeer(proxy, target, isSecure);
    const secure = isSecure ? { secure: { name: hostname, security } } : {};
    const { address: peerHost, port: peerPort } = peer;
    const peerTarget = { hostname: peerHost, port: peerPort, isSecure: isSecure && proxy === undefined };
    const inspected = inspect && {
      inspect: ({ remoteAddress = '' }: Socket) => inspect(peerTarget, remoteAddress),
    };
    return dial({ ...peer, ...secure, ...inspected }, { connectMs, scheduler, ...(signal && { signal }) });
  };
}

/**
 * Returns true for plain HTTP through a proxy: the proxy reads the request and forwards it, without a tunnel.
 */
export function usesForwardProxy(url: string, { proxy }: HttpClientOptions): boolean {
  return proxy !== undefined && url.startsWith('http:');
}

/** Returns the proxy as the peer to connect to, with a tunnel if TLS goes through it. */
function proxyPeer(proxy: string, { address, port }: Peer, withTunnel: boolean): Peer {
  const { hostname, port: proxyPort } = new URL(proxy);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    address: bareHost(hostname),
    port: Number(proxyPort || 80),
    isProxy: true,
    ...(withTunnel && { tunnelTo: `${host}:${port}` }),
  };
}

/** Returns the host of a URL for connecting: IPv6 without brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A connection target and how to connect. */
export interface Peer {
  /** Host name or address, IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** True if `address` is a proxy in front of the target. */
  readonly isProxy?: true;
  /** `host:port` to request from the proxy at `address`; absent if `address` is the target itself. */
  readonly tunnelTo?: string;
  /** Name that the certificate must match; absent for plain TCP. */
  readonly secure?: { readonly name: string; readonly security: Security };
  /** Checks the connected socket before any byte is written; an error closes the connection. */
  readonly inspect?: (socket: Socket) => void | Promise<void>;
}

/** TLS settings for a peer. */
export interface Security {
  /** Returns the TLS context; those without TLS material share one, created for the first connection. */
  readonly context: () => SecureContext;
  readonly serverName?: string | undefined;
  readonly insecure: boolean;
}

/** Time limit for connecting, including TLS, and its cancellation. */
interface DialTerms {
  readonly connectMs: number;
  readonly signal?: AbortSignal;
  /** Absent: system timers. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Connects to a peer, with TLS if required. Throws `upstream_timeout` after `connectMs`, the signal's reason
 * when it fires, `upstream_unreachable` for a proxy that cannot be reached, and otherwise Node's errors; the socket is then destroyed.
 */
export async function dial(
  peer: Peer,
  { connectMs, signal, scheduler = systemScheduler }: DialTerms,
): Promise<Socket> {
  signal?.throwIfAborted();
  // Not AbortSignal.any with AbortSignal.timeout: on Node 20, garbage collection can remove them before they
  // fire.
  const stopper = new AbortController();
  const onCallerAbort = () => {
    stopper.abort(signal?.reason);
  };
  const cancel = scheduler.after(connectMs, () => {
    stopper.abort(connectTimeout(connectMs, peer));
  });
  signal?.addEventListener('abort', onCallerAbort, { once: true });
  const socket = ignoreErrors(
    connectTcp({ host: peer.address, port: peer.port, noDelay: true, keepAlive: true }),
  );
  try {
    return await establish(socket, peer, stopper.signal);
  } catch (error) {
    socket.destroy();
    stopper.signal.throwIfAborted();
    throw error;
  } finally {
    cancel();
    signal?.removeEventListener('abort', onCallerAbort);
  }
}

function connectTimeout(ms: number, { isProxy }: Peer): Problem {
  const end = isProxy ? 'through the proxy' : 'to the target';
  return new Problem('upstream_timeout', `no connection ${end} within ${Math.round(ms)} ms`);
}

async function establish(socket: Socket, peer: Peer, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    throw peer.isProxy && error instanceof Error ? (proxyFailureOf(error) ?? error) : error;
  }
  const inspecting = peer.inspect?.(socket);
  if (inspecting) await untilAborted(inspecting, signal);
  if (peer.tunnelTo !== undefined) await openTunnel(socket, peer.tunnelTo, signal);
  return peer.secure ? handshake(socket, peer.secure, signal) : socket;
}

async function handshake(
  socket: Socket,
  { name, security }: NonNullable<Peer['secure']>,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const expected = security.serverName ?? name;
  const secured = ignoreErrors(
    connectTls({
      socket,
      host: expected,
      // An address is checked against the certificate but never sent as server name (RFC 6066 section 3).
      ...(isIP(expected) === 0 && { servername: expected }),
      secureContext: security.context(),
      // Always explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: !security.insecure,
      ALPNProtocols: ['http/1.1'],
    }),
  );
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/** Ignores further errors of a socket, which would otherwise end the process. */
function ignoreErrors<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

/** Creates TLS settings for many connections; the minimum version is TLS 1.2. Throws on invalid PEM. */
export function createSecurity(tls: TlsMaterial = {}): Security {
  const { serverName, insecure = false } = tls;
  return { context: contextOf(tls), serverName, insecure };
}

const MIN_TLS_VERSION = 'TLSv1.2';

let defaultContext: SecureContext | undefined;

/** Returns a function that returns the context of TLS material. Throws on invalid PEM. */
function contextOf({ ca, cert, key }: TlsMaterial): () => SecureContext {
  if (ca === undefined && cert === undefined && key === undefined) return sharedContext;
  const context = createSecureContext({ ca, cert, key: key?.reveal(), minVersion: MIN_TLS_VERSION });
  return () => context;
}

/**
 * Returns the context of peers without TLS material. A context costs a millisecond, and there may be thousands of peers; the
 * first one of a process also parses the root certificates of Node.js.
 */
function sharedContext(): SecureContext {
  return (defaultContext ??= createSecureContext({ minVersion: MIN_TLS_VERSION }));
}

/** Maximum size of the head of a proxy's reply, in bytes. */
const MAX_PROXY_HEAD_BYTES = 16_384;

const HEAD_END = '\r\n\r\n';

/**
 * Requests a tunnel to `host:port` from the proxy (RFC 9110 section 9.3.6); later writes reach the target.
 * Throws `upstream_unreachable` when the proxy refuses, or the signal's reason when it fires.
 */
async function openTunnel(socket: Socket, authority: string, signal: AbortSignal): Promise<void> {
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}${HEAD_END}`);
  const head = await readHead(socket, signal);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1];
  if (status === undefined) throw proxyRefusal('does not speak HTTP');
  if (!status.startsWith('2')) throw proxyRefusal(`answered with status ${status}`);
  // The target waits for the first request, so any early bytes come from another sender.
  if (!head.endsWith(HEAD_END) || head.indexOf(HEAD_END) !== head.length - HEAD_END.length)
    throw proxyRefusal('sent unexpected bytes through the tunnel');
}

/** Reads up to and including the first chunk that completes the head of a final reply. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = '';
  const interim = new InterimReplies();
  interim.begin();
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      socket.off('data', onData).off('close', onClose).pause();
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    const onAbort = (): void => {
      settle(() => {
        reject(signal.reason as Error);
      });
    };
    const onClose = (): void => {
      settle(() => {
        reject(socket.errored instanceof Problem ? socket.errored : proxyRefusal('closed the connection'));
      });
    };
    const onData = (chunk: Buffer): void => {
      try {
        head += interim.remove(chunk).toString('latin1');
      } catch (cause) {
        socket.destroy(cause as Error);
        return;
      }
      if (head.includes(HEAD_END))
        settle(() => {
          resolve(head);
        });
      else if (head.length > MAX_PROXY_HEAD_BYTES)
        settle(() => {
          reject(proxyRefusal('sent a reply head that is too long'));
        });
    };
    socket.on('data', onData).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

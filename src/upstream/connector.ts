import type { Socket } from 'node:net';
import type { Scheduler } from '../core/lib/clock.js';
import type { HttpClientOptions } from '../core/http.js';
import { createSecurity, dial, type Peer } from './connect.js';

const CONNECT_MS = 10_000;

export interface ConnectorOptions extends HttpClientOptions {
  /** Absent: system timers. */
  readonly scheduler?: Scheduler | undefined;
}

/** The connection target of a URL. */
export interface DialTarget {
  /** IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Opens a connection to a target; the signal cancels it. Throws what `dial` throws. */
export type Connector = (target: DialTarget, signal?: AbortSignal) => Promise<Socket>;

/** Creates a connector with TLS material, proxy and timeout. Throws on TLS material that is not PEM. */
export function createDialler({
  tls,
  connectMs = CONNECT_MS,
  scheduler,
  proxy,
}: ConnectorOptions): Connector {
  const security = createSecurity(tls);
  return ({ hostname, port, isSecure }, signal) => {
    const target = { address: hostname, port };
    const place = proxy === undefined ? target : through(proxy, target, isSecure);
    const secure = isSecure ? { secure: { name: hostname, security } } : {};
    return dial({ ...place, ...secure }, { connectMs, scheduler, ...(signal && { signal }) });
  };
}

/**
 * Returns true for plain HTTP through a proxy: the proxy reads the request and forwards it, without a tunnel.
 */
export function inTheOpen(url: string, { proxy }: Pick<HttpClientOptions, 'proxy'>): boolean {
  return proxy !== undefined && url.startsWith('http:');
}

/** Returns the proxy as the peer to connect to, with a tunnel if TLS goes through it. */
function through(
  proxy: string,
  { address, port }: Pick<Peer, 'address' | 'port'>,
  withTunnel: boolean,
): Peer {
  const { hostname, port: proxyPort } = new URL(proxy);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    address: bareHost(hostname),
    port: Number(proxyPort || 80),
    ...(withTunnel && { tunnelTo: `${host}:${port}` }),
  };
}

/** Returns the host of a URL for connecting: IPv6 without brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

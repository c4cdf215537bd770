import type { Socket } from 'node:net';
import type { Scheduler } from '../core/lib/clock.js';
import type { HttpClientOptions } from '../core/http.js';
import { createSecurity, dial, type Peer } from './connect.js';

const CONNECT_MS = 10_000;

export interface ConnectorOptions extends HttpClientOptions {
  /** Absent: the timers of the system. */
  readonly scheduler?: Scheduler | undefined;
}

/** Where a URL leads to. */
export interface DialTarget {
  /** IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Opens a connection to a target; the signal ends it early. Throws what `dial` throws. */
export type Connector = (target: DialTarget, signal?: AbortSignal) => Promise<Socket>;

/** Makes a dialler with its own TLS material, proxy and time-out. Throws on TLS material that is no PEM. */
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

/** True for plain http through a proxy: there is no tunnel, the proxy reads the request and passes it on. */
export function inTheOpen(url: string, { proxy }: Pick<HttpClientOptions, 'proxy'>): boolean {
  return proxy !== undefined && url.startsWith('http:');
}

/** The proxy as the place to connect to, with a tunnel where TLS goes through it. */
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

/** A host as it is connected to: IPv6 without the brackets that it has in a URL. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

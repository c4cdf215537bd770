import type { Upstream } from '../core/upstream.js';
import type { AdapterSettings } from '../settings/adapter.js';
import {
  bareHost,
  type Connector,
  type ConnectorOptions,
  createConnector,
  usesForwardProxy,
} from './connect.js';
import type { Endpoint, Endpoints } from './endpoint.js';
import { failureOf } from './failure.js';

/**
 * Creates the connection check of an adapter without a health path. It opens a connection to each base URL, with
 * TLS and through the proxy as calls do, and closes it without a request: no login, no load on the orchestrator.
 * Resolves if one base URL accepts the connection; throws the Problem of the last base URL otherwise. `undefined`
 * for the health type "none", and for an `http:` base URL behind a proxy: without a request, such a connection ends at the
 * proxy and says nothing about the orchestrator.
 */
export function createReachabilityCheck(
  { health }: AdapterSettings,
  endpoints: Endpoints,
  options: ConnectorOptions,
): Upstream['checkConnection'] {
  if (health.type === 'none' || endpoints.some(({ url }) => usesForwardProxy(url, options))) return undefined;
  const connect = createConnector(options);
  return async (signal) => {
    const results = await Promise.allSettled(endpoints.map((endpoint) => open(connect, endpoint, signal)));
    const failures = results.flatMap((result) =>
      result.status === 'rejected'
        ? [failureOf(result.reason, { phase: 'connecting', owner: 'adapter' })]
        : [],
    );
    const last = failures.at(-1);
    if (last && failures.length === results.length) throw last;
  };
}

async function open(connect: Connector, { url }: Endpoint, signal: AbortSignal): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:';
  const target = { hostname: bareHost(hostname), port: Number(port || (isSecure ? 443 : 80)), isSecure };
  const socket = await connect(target, signal);
  socket.destroy();
}

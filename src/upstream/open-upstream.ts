import type { TlsMaterial } from '../core/http.js';
import { type Log, silentLog } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { Upstream } from '../core/upstream.js';
import { monotonicScheduler } from '../lib/clock.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { isFixed } from './adapter-auth.js';
import {
  type ConnectorOptions,
  bareHost,
  type Connector,
  createConnector,
  usesForwardProxy,
} from './connect.js';
import { ConnectionReuse, MAX_DROPS_IN_ROW } from './connection-reuse.js';
import { createEndpoints, type Endpoint, type Endpoints } from './endpoint.js';
import { failureOf } from './failure.js';
import { openStub } from './stub/recording.js';
import { openClient, type UpstreamClient, idleStatusOf, textFiltersOf } from './upstream-client.js';
import type { UpstreamOptions } from './upstream-options.js';

/**
 * Creates the client of an adapter's orchestrator, with separate connections. Opens no connection before the
 * first call. What only calls need is created at its first use, because of thousands of adapters most are idle. Throws when
 * `upstreamFaults` reports a fault.
 */
export function openUpstream(
  settings: AdapterSettings,
  tls: TlsMaterial,
  options: UpstreamOptions = {},
): Upstream {
  const { scheduler = monotonicScheduler, random = Math.random, log = silentLog } = options;
  const endpoints = createEndpoints(settings, { clock: scheduler, random }, log);
  if (settings.stub) return openStub(settings, endpoints, textFiltersOf(settings, endpoints, options));

  const reuse = connectionReuseOf(settings, log);
  const dial = connectorOptionsOf(settings, tls, { scheduler, inspect: options.inspect, reuse });
  const client = new ClientOnDemand(() =>
    openClient(settings, endpoints, { ...options, scheduler, random, log, dial, reuse }),
  );
  const checkConnection = createReachabilityCheck(settings, endpoints, dial);
  return {
    ...(settings.redactReplies && { redactReply: (reply) => client.get().redactReply(reply) }),
    callerHeaders: (headers, path) => client.get().callerHeaders(headers, path),
    linkedPath: (link, path) => client.get().linkedPath(link, path),
    pass: (request, signal) => client.get().pass(request, signal),
    send: (request, caller, terms) => client.get().send(request, caller, terms),
    ...(settings.health.path !== null && { probe: (signal, fixed) => client.get().probe(signal, fixed) }),
    ...(!isFixed(settings.auth) && { login: (signal) => client.get().login(signal) }),
    ...(checkConnection && { checkConnection }),
    status: () => client.ifOpen()?.status() ?? idleStatusOf(endpoints, reuse),
    close: () => client.close(),
  };
}

/** Opens a client at its first use. Throws `adapter_unavailable` for a first use after the end. */
class ClientOnDemand {
  readonly #open: () => UpstreamClient;
  #client: UpstreamClient | undefined;
  #isClosed = false;

  constructor(open: () => UpstreamClient) {
    this.#open = open;
  }

  get(): UpstreamClient {
    return this.#client ?? this.#first();
  }

  ifOpen(): UpstreamClient | undefined {
    return this.#client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.close();
  }

  #first(): UpstreamClient {
    // Nothing would close what is opened now.
    if (this.#isClosed) throw new Problem('adapter_unavailable', 'the adapter was closed');
    return (this.#client = this.#open());
  }
}

function connectorOptionsOf(
  { timeouts: { connectMs }, isolateBodies, proxy }: AdapterSettings,
  tls: TlsMaterial,
  { scheduler, inspect, reuse }: ConnectorOptions,
): ConnectorOptions {
  return { tls, connectMs, scheduler, isolateBodies, inspect, reuse, ...(proxy !== null && { proxy }) };
}

function connectionReuseOf({ reuseConnections }: AdapterSettings, log: Log): ConnectionReuse {
  return new ConnectionReuse(reuseConnections, () => {
    log.warn('orchestrator drops reused connections; opening a connection for each request', {
      drops: MAX_DROPS_IN_ROW,
      fix: 'Set reuseConnections to false, or restart the adapter once the orchestrator keeps its connections.',
    });
  });
}

/**
 * Creates the connection check of an adapter without a health path. It opens a connection to each base URL, with
 * TLS and through the proxy as calls do, and closes it without a request: no login, no load on the orchestrator.
 * Resolves if one base URL accepts the connection; throws the Problem of the last base URL otherwise. `undefined`
 * for the health type "none", and for an `http:` base URL behind a proxy: without a request, such a connection ends at the
 * proxy and says nothing about the orchestrator.
 */
function createReachabilityCheck(
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

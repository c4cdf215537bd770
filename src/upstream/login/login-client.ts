import type { Scheduler } from '../../core/lib/clock.js';
import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { RequestTracer } from '../../core/trace.js';
import { type Connections, openConnections } from '../client.js';
import { withDeadline } from '../deadline.js';
import type { ConnectorOptions } from '../connector.js';
import { withTracing } from '../with-tracing.js';
import type { Endpoints } from '../endpoint.js';

/** Connections for logins alone, so that a login never waits behind the calls that wait for it. */
export interface LoginClient {
  /** Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;
  close(): Promise<void>;
}

export interface LoginClientTerms {
  /** For one request of a login. */
  readonly totalMs: number;
  readonly scheduler: Scheduler;
  /** Where the calls go: a TLS server name of the settings is meant for these places alone. */
  readonly endpoints: Endpoints;
  readonly tracer?: RequestTracer | undefined;
}

const CONNECTIONS = 4;
/** Largest reply to a login, in bytes. */
const REPLY_BYTES = 1_048_576;

/** Opens no connection before the first login. */
export function openLoginClient(
  options: ConnectorOptions,
  { totalMs, scheduler, endpoints, tracer }: LoginClientTerms,
): LoginClient {
  const { serverName, ...plainTls } = options.tls ?? {};
  const own = lazily({ ...options, connections: CONNECTIONS });
  const elsewhere =
    serverName === undefined ? own : lazily({ ...options, tls: plainTls, connections: CONNECTIONS });
  const origins = new Set(endpoints.map(({ base }) => base.origin));
  return {
    send: (request, caller) =>
      withDeadline({ totalMs, scheduler, caller }, (deadline) => {
        const { connections } = origins.has(new URL(request.url).origin) ? own : elsewhere;
        const terms = { limits: { replyBytes: REPLY_BYTES }, deadline };
        return withTracing(tracer, request, (whole) => connections().exchange(whole, terms));
      }),
    async close() {
      await Promise.all([own.close(), ...(elsewhere === own ? [] : [elsewhere.close()])]);
    },
  };
}

interface LazyConnections {
  readonly connections: () => Connections;
  close(): Promise<void>;
}

/** Most adapters never log in, and reading TLS material takes time. */
function lazily(options: ConnectorOptions): LazyConnections {
  let opened: Connections | undefined;
  return {
    connections: () => (opened ??= openConnections(options)),
    close: async () => opened?.close(),
  };
}

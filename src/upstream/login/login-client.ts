import type { Scheduler } from '../../core/lib/clock.js';
import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { RequestTracer } from '../../core/trace.js';
import { type Connections, openConnections } from '../client.js';
import { withDeadline } from '../deadline.js';
import type { ConnectorOptions } from '../connector.js';
import { withTracing } from '../with-tracing.js';
import type { Endpoints } from '../endpoint.js';

/** Separate connections for logins, so that a login never waits for the calls that need it. */
export interface LoginClient {
  /** Sends a request. Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;
  close(): Promise<void>;
}

export interface LoginClientTerms {
  /** Time limit of a single request of a login. */
  readonly totalMs: number;
  readonly scheduler: Scheduler;
  /** Targets of the calls: the TLS server name of the settings applies only to these. */
  readonly endpoints: Endpoints;
  readonly tracer?: RequestTracer | undefined;
}

const CONNECTIONS = 4;
/** Maximum size of a reply to a login, in bytes. */
const REPLY_BYTES = 1_048_576;

/** Creates the client for logins. Opens no connection before the first login. */
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

/** Defers opening to the first use: most adapters never log in, and reading TLS material takes time. */
function lazily(options: ConnectorOptions): LazyConnections {
  let opened: Connections | undefined;
  return {
    connections: () => (opened ??= openConnections(options)),
    close: async () => opened?.close(),
  };
}

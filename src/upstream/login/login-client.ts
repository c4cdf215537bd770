import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { RequestTracer } from '../../core/trace.js';
import { type Connections, openConnections } from '../client.js';
import type { ConnectorOptions } from '../connect.js';
import { withDeadline } from '../deadline.js';
import type { Endpoints } from '../endpoint.js';
import { withTracing } from '../with-tracing.js';

/** Separate connections for logins, so that a login never waits for the calls that need it. */
interface LoginClient {
  /** Sends a request. Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;
  close(): Promise<void>;
}

interface LoginClientTerms {
  /** Time limit of a single request of a login. */
  readonly totalMs: number;
  readonly scheduler: Scheduler;
  /** Targets of the calls: the TLS server name of the settings applies only to these. */
  readonly endpoints: Endpoints;
  readonly tracer?: RequestTracer | undefined;
}

const MAX_CONNECTIONS = 4;
/** Maximum size of a reply to a login, in bytes. */
const MAX_REPLY_BYTES = 1_048_576;

/** Creates the client for logins. Opens no connection before the first login. */
export function openLoginClient(
  options: ConnectorOptions,
  { totalMs, scheduler, endpoints, tracer }: LoginClientTerms,
): LoginClient {
  const { serverName, ...plainTls } = options.tls ?? {};
  const endpointConnections = openLazily({ ...options, connections: MAX_CONNECTIONS });
  const otherConnections =
    serverName === undefined
      ? endpointConnections
      : openLazily({ ...options, tls: plainTls, connections: MAX_CONNECTIONS });
  const origins = new Set(endpoints.map(({ base }) => base.origin));
  return {
    send: (request, caller) =>
      withDeadline({ totalMs, scheduler, caller }, (deadline) => {
        const { connections } = origins.has(new URL(request.url).origin)
          ? endpointConnections
          : otherConnections;
        const terms = { limits: { replyBytes: MAX_REPLY_BYTES }, deadline, owner: 'adapter' } as const;
        return withTracing({ parent: tracer }, request, (trace) =>
          connections().exchange(request, { ...terms, trace }),
        );
      }),
    async close() {
      await Promise.all([
        endpointConnections.close(),
        ...(otherConnections === endpointConnections ? [] : [otherConnections.close()]),
      ]);
    },
  };
}

interface LazyConnections {
  readonly connections: () => Connections;
  close(): Promise<void>;
}

/** Defers opening to the first use: most adapters never log in, and reading TLS material takes time. */
function openLazily(options: ConnectorOptions): LazyConnections {
  let opened: Connections | undefined;
  return {
    connections: () => (opened ??= openConnections(options)),
    close: async () => opened?.close(),
  };
}

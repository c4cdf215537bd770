import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { RequestTracer } from '../../core/trace.js';
import type { Scheduler } from '../../lib/clock.js';
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

/**
 * Creates the client for logins. Opens nothing before the first login: most adapters never log in, and reading TLS material
 * takes time.
 */
export function openLoginClient(options: ConnectorOptions, terms: LoginClientTerms): LoginClient {
  let targets: LoginTargets | undefined;
  return {
    send: (request, caller) =>
      withDeadline({ totalMs: terms.totalMs, scheduler: terms.scheduler, caller }, (deadline) => {
        const connections = (targets ??= openTargets(options, terms)).connectionsTo(request.url);
        const limits = { replyBytes: MAX_REPLY_BYTES };
        return withTracing(terms.tracer, { request }, (trace) =>
          connections.send(request, { limits, deadline, owner: 'adapter', trace }),
        );
      }),
    close: async () => targets?.close(),
  };
}

interface LoginTargets {
  readonly connectionsTo: (url: string) => Connections;
  close(): Promise<void>;
}

function openTargets(options: ConnectorOptions, { endpoints }: LoginClientTerms): LoginTargets {
  const { serverName, ...plainTls } = options.tls ?? {};
  const ofEndpoints = openConnections({ ...options, connections: MAX_CONNECTIONS });
  const ofOthers =
    serverName === undefined
      ? ofEndpoints
      : openConnections({ ...options, tls: plainTls, connections: MAX_CONNECTIONS });
  const origins = new Set(endpoints.map(({ base }) => base.origin));
  return {
    connectionsTo: (url) => (origins.has(new URL(url).origin) ? ofEndpoints : ofOthers),
    async close() {
      await Promise.all([...new Set([ofEndpoints, ofOthers])].map((connections) => connections.close()));
    },
  };
}

import { forwardedReplyHeaders } from '../core/header.js';
import type { Log } from '../core/log.js';
import type { Redact } from '../core/secret.js';
import type { BaseUrlStatus, Upstream, UpstreamStatus } from '../core/upstream.js';
import type { Scheduler } from '../lib/clock.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { buildRequest, createRequestValidator } from './build-request.js';
import { type Connections, openConnections } from './client.js';
import type { ConnectorOptions } from './connect.js';
import type { ConnectionReuse } from './connection-reuse.js';
import { beforeDeadline, withDeadline } from './deadline.js';
import type { Endpoint, Endpoints } from './endpoint.js';
import { createCallerHeaders, createLinkedPath } from './headers-for-caller.js';
import { openLoginClient } from './login/login-client.js';
import { createAttempt } from './policy/attempt.js';
import { type Balancer, createBalancer } from './policy/balance.js';
import { createQueue, type Queue } from './policy/queue.js';
import { createRetries, createRetryBudget } from './policy/retry.js';
import { createProbe } from './probe.js';
import { createCall, type Send, throughLayers } from './send.js';
import { openStreams, type Streams } from './stream/proxy-streams.js';
import { createRecorder, type StubDeps } from './stub/recording.js';
import { createSecretMask, type SecretMask } from './stub/secret-mask.js';
import { confine } from './target.js';
import type { UpstreamOptions } from './upstream-options.js';
import { type Authentication, createAuthentication } from './with-authentication.js';
import { createCallLog } from './with-call-log.js';
import { withTracing } from './with-tracing.js';

/** What calls to an orchestrator need. */
export type UpstreamClient = Required<
  Pick<
    Upstream,
    'callerHeaders' | 'close' | 'linkedPath' | 'login' | 'pass' | 'probe' | 'redactReply' | 'send' | 'status'
  >
>;

/** Dependencies of {@link openClient}. */
interface ClientDeps extends UpstreamOptions {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly log: Log;
  readonly dial: ConnectorOptions;
  readonly reuse: ConnectionReuse;
}

const DRAIN_MS = 30_000;

/** Opens the client of an adapter, without a connection. */
export function openClient(
  settings: AdapterSettings,
  endpoints: Endpoints,
  deps: ClientDeps,
): UpstreamClient {
  const { scheduler, random, log, dial, reuse, tracer, drainMs = DRAIN_MS } = deps;
  const { auth, balance, retry } = settings;
  const { totalMs } = settings.timeouts;
  const { secrets, validate, callerHeaders, linkedPath, redact } = textFiltersOf(settings, endpoints, deps);
  const counters = createCounters();
  const network = openNetwork(settings, deps);
  const logins = openLoginClient(dial, { totalMs, scheduler, endpoints, tracer });
  const sessions = { scheduler, log, send: logins.send, onSecret: secrets.mask, onLogin: counters.login };
  const authentication = createAuthentication(auth, sessions);
  const queue = createQueue(settings.queue, { scheduler });
  const balancer = createBalancer(endpoints, balance);
  const budget = createRetryBudget(retry.budgetPercent);
  const calls = createCallLog(log, { clock: scheduler, redact, onRetry: counters.retry });
  const retries = { budget, clock: scheduler, random, endpoints: endpoints.length, onRetry: calls.retry };
  const attempts = { queue, balancer, clock: scheduler, onWaited: calls.waited };

  // From the caller inward; all share the deadline of the call.
  const layers = [
    calls.layer,
    ...(settings.record ? [createRecorder(settings, endpoints, { redact, log })] : []),
    createRetries(retry, retries),
    createAttempt(attempts),
    authentication.layer,
  ];
  const send = throughLayers(layers, network.send);

  const streamDeps = { endpoints, queue, balancer, authentication, scheduler, redact, dial, drainMs };
  const streams = openStreams(settings, streamDeps);

  return {
    redactReply: secrets.redactReply,
    callerHeaders,
    linkedPath,
    pass: (request, signal) => calls.stream(request, streams.pass(request, signal)),
    send: (request, caller, { span, memory } = {}) =>
      withDeadline({ totalMs, setting: 'timeouts.totalMs', caller, scheduler }, (deadline) => {
        const [endpoint] = endpoints;
        return send(createCall({ request, url: validate(request), deadline, span, memory, endpoint }));
      }),
    probe: probeOf(settings, endpoints, {
      scheduler,
      send: throughLayers([authentication.layer], network.send),
    }),
    login: loginOf(authentication, endpoints, { totalMs, scheduler }),
    status: () => statusOf({ endpoints, queue, streams, balancer, counters, network, reuse }),
    close: () => closeInOrder(streams, authentication, [network, logins]),
  };
}

/** Returns what checks requests, and removes secrets from texts. */
export function textFiltersOf(
  settings: AdapterSettings,
  endpoints: Endpoints,
  options: UpstreamOptions,
): StubDeps & { readonly secrets: SecretMask } {
  const secrets = createSecretMask(settings, options);
  const { redact } = secrets;
  const validate = createRequestValidator(endpoints, settings.auth);
  return { secrets, redact, validate, ...replyPathsOf(settings, endpoints, redact) };
}

/** Ends the streams, then the renewal of credentials, then the connections. */
async function closeInOrder(
  streams: Streams,
  authentication: Authentication,
  connections: readonly { readonly close: () => Promise<unknown> }[],
): Promise<void> {
  await streams.close();
  authentication.close();
  await Promise.all(connections.map((one) => one.close()));
}

function replyPathsOf(
  { auth, replyHeaders: added }: AdapterSettings,
  [first, ...others]: Endpoints,
  redact: Redact,
): Required<Pick<Upstream, 'callerHeaders' | 'linkedPath'>> {
  const parameter = auth.type === 'query' ? auth.name : undefined;
  const bases = [first.base, ...others.map(({ base }) => base)] as const;
  const forwarded = forwardedReplyHeaders(added);
  return {
    callerHeaders: createCallerHeaders({ bases, forwarded, parameter, redact }),
    linkedPath: createLinkedPath({ bases, parameter }),
  };
}

/** Creates the health probe of an adapter; without a path, it is never used. */
function probeOf(
  { health: { path }, timeouts: { totalMs } }: AdapterSettings,
  endpoints: Endpoints,
  { scheduler, send }: { readonly scheduler: Scheduler; readonly send: Send },
): UpstreamClient['probe'] {
  return createProbe(endpoints, { ...probeRequest(path ?? '/', endpoints), totalMs, scheduler }, send);
}

/** Creates the login without a request. It ends after `totalMs`, as the login of a call does. */
function loginOf(
  { acquireCredentials }: Authentication,
  [endpoint]: Endpoints,
  { totalMs, scheduler }: { readonly totalMs: number; readonly scheduler: Scheduler },
): NonNullable<Upstream['login']> {
  const terms = { totalMs, setting: 'timeouts.totalMs', scheduler };
  return (caller) =>
    withDeadline({ ...terms, caller }, async (deadline) => {
      deadline.phase = 'logging in';
      const lease = acquireCredentials(endpoint);
      if (lease instanceof Promise) await beforeDeadline(lease, deadline);
    });
}

/** Opens the connections of an adapter; each base URL has as many as there are concurrent calls, plus one. */
function openNetwork(
  { timeouts, replyBytes, queue }: AdapterSettings,
  { dial, tracer, secretVersions }: ClientDeps,
) {
  // One extra connection, so that a health probe never waits for calls.
  const connections = openConnections({ ...dial, connections: queue.concurrent + 1 });
  const { firstByteMs } = timeouts;
  const limits = { ...(firstByteMs !== null && { firstByteMs }), replyBytes };
  const send: Send = (call) => {
    const { deadline, endpoint, memory } = call;
    deadline.phase = 'connecting';
    const facts = { breaker: endpoint.breaker.state(), queuedMs: call.queuedMs, secrets: secretVersions };
    const request = buildRequest(call);
    const { origin } = endpoint.base;
    return withTracing(call.span ?? tracer, { request, facts }, (trace) =>
      connections.send(request, { limits, deadline, owner: 'adapter', origin, memory, trace }),
    );
  };
  return { send, counts: () => connections.counts(), close: () => connections.close() };
}

function probeRequest(path: string, [first]: Endpoints) {
  return { request: { method: 'GET', path, headers: { accept: '*/*' } }, url: confine(first.base, path) };
}

/** Returns the status of an adapter that has not been used. */
export function idleStatusOf(endpoints: Endpoints, reuse: ConnectionReuse): UpstreamStatus {
  const counts = { inFlight: 0, waiting: 0, refused: 0, retries: 0, logins: 0, failedLogins: 0 };
  const connections = { connections: 0, idleConnections: 0, connectionReuse: reuse.state };
  return { ...counts, ...connections, baseUrls: endpoints.map(baseUrlStatusOf), current: endpoints[0].url };
}

/** The sources of an adapter's status. */
interface StatusSources {
  readonly endpoints: Endpoints;
  readonly queue: Queue;
  readonly streams: Streams;
  readonly balancer: Balancer;
  readonly counters: Counters;
  readonly network: Pick<Connections, 'counts'>;
  readonly reuse: ConnectionReuse;
}

/** Returns the current state as plain numbers. */
function statusOf(sources: StatusSources): UpstreamStatus {
  const { endpoints, queue, streams, balancer, counters, network, reuse } = sources;
  return {
    inFlight: queue.inFlight(),
    waiting: queue.waiting() + streams.waiting(),
    refused: queue.refused() + streams.refused(),
    ...counters.counts(),
    ...network.counts(),
    connectionReuse: reuse.state,
    baseUrls: endpoints.map(baseUrlStatusOf),
    current: balancer.current().url,
  };
}

function baseUrlStatusOf({ url, breaker, inFlight }: Endpoint): BaseUrlStatus {
  return {
    url,
    breaker: breaker.state(),
    waitMs: Math.ceil(breaker.waitMs()),
    failures: breaker.failures(),
    inFlight,
  };
}

/** Counters of an adapter since it was opened. */
interface Counters {
  readonly retry: () => void;
  readonly login: (succeeded: boolean) => void;
  counts(): { readonly retries: number; readonly logins: number; readonly failedLogins: number };
}

/** Creates counters that start at zero. */
function createCounters(): Counters {
  let retries = 0;
  let logins = 0;
  let failedLogins = 0;
  return {
    retry() {
      retries += 1;
    },
    login(succeeded) {
      if (succeeded) logins += 1;
      else failedLogins += 1;
    },
    counts: () => ({ retries, logins, failedLogins }),
  };
}

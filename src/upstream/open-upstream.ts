import type { SecretVersion } from '../core/attempt.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import type { TlsMaterial } from '../core/http.js';
import { monotonicScheduler, type Scheduler } from '../core/lib/clock.js';
import { type Log, silentLog } from '../core/log.js';
import type { Redact } from '../core/secret.js';
import type { RequestTracer } from '../core/trace.js';
import type { Upstream, UpstreamStatus } from '../core/upstream.js';
import { buildRequest, createRequestValidator } from './build-request.js';
import { createCallerHeaders } from './headers-for-caller.js';
import { type Connections, openConnections } from './client.js';
import type { InspectConnection } from './connect.js';
import { isFixed } from './adapter-auth.js';
import { createReachabilityCheck } from './connection-check.js';
import { beforeDeadline, settledInTime, withDeadline } from './deadline.js';
import { DeadlineQueue } from './deadline-queue.js';
import { createEndpoints, type Endpoint, type Endpoints } from './endpoint.js';
import { openLoginClient } from './login/login-client.js';
import { createAttempt } from './policy/attempt.js';
import { type Balancer, createBalancer } from './policy/balance.js';
import { createQueue, type Queue } from './policy/queue.js';
import { createRetryBudget, withRetries } from './policy/retry.js';
import { createProbe } from './probe.js';
import type { Send, SendTo } from './send.js';
import { openStreams, type Streams } from './stream/proxy-streams.js';
import { openStub, withRecording } from './stub/recording.js';
import { createSecretMask } from './stub/secret-mask.js';
import { confine } from './target.js';
import { type AuthenticatedSender, type SendWith, withAuthentication } from './with-authentication.js';
import { createCallLog } from './with-call-log.js';
import { TracedSettlement } from './with-tracing.js';

/** Optional dependencies, for production wiring and for tests. */
export interface UpstreamOptions {
  /** Absent: a monotonic clock, because breakers and sessions depend on durations. */
  readonly scheduler?: Scheduler;
  /** Returns a number from 0 up to 1; absent: `Math.random`. */
  readonly random?: () => number;
  readonly log?: Log;
  /**
   * Called with each token and cookie of a login before its first use; the returned function is called when
   * the value is no longer used.
   */
  readonly onSecret?: (value: string) => () => void;
  /** Removes further secrets from recordings, in addition to the adapter's own. */
  readonly redact?: Redact;
  /** Starts traces for requests that no call causes; absent: those requests are not traced. */
  readonly tracer?: RequestTracer;
  /** Maximum duration of streams after `close`, in milliseconds; absent: 30 seconds. */
  readonly drainMs?: number;
  /** Versions of the secrets of the authentication, which each attempt records. */
  readonly secretVersions?: readonly SecretVersion[] | undefined;
  /** Checks each connection of the adapter; absent: none is checked. */
  readonly inspect?: InspectConnection | undefined;
}

const DRAIN_MS = 30_000;

const NO_ENDPOINTS: readonly Endpoint[] = [];

/**
 * Creates the client of an adapter's orchestrator, with separate connections. Opens no connection before the
 * first call. Throws when `upstreamFaults` reports a fault.
 */
export function openUpstream(
  settings: AdapterSettings,
  tls: TlsMaterial,
  options: UpstreamOptions = {},
): Upstream {
  const { scheduler = monotonicScheduler, random = Math.random, log = silentLog, tracer } = options;
  const { auth, balance, retry } = settings;
  const { totalMs } = settings.timeouts;
  const endpoints = createEndpoints(settings, { clock: scheduler, random }, log);
  const validate = createRequestValidator(endpoints, auth);
  const secrets = createSecretMask(settings, options);
  const { redact } = secrets;
  const callerHeaders = callerHeadersOf(auth, endpoints, redact);
  if (settings.stub) return openStub(settings, endpoints, { validate, callerHeaders, redact });

  const counters = createCounters();
  const network = openNetwork(settings, tls, { ...options, scheduler });
  const logins = openLoginClient(network.options, { totalMs, scheduler, endpoints, tracer });
  const sessions = { scheduler, log, send: logins.send, onSecret: secrets.mask, onLogin: counters.login };
  const authentication = withAuthentication(auth, sessions, network.send);
  const queue = createQueue(settings.queue);
  const balancer = createBalancer(endpoints, balance);
  const budget = createRetryBudget(retry.budgetPercent);
  const calls = createCallLog(log, { clock: scheduler, redact, onRetry: counters.retry });
  const retries = { budget, clock: scheduler, random, endpoints: endpoints.length, onRetry: calls.retry };
  const record = withRecording(settings, endpoints, { redact, log });

  // The layers of a call, from the caller inward; all share one deadline.
  const attempts = { queue, balancer, clock: scheduler, onWaited: calls.waited };
  const attempt = createAttempt(attempts, authentication.send);
  const deadlines = new DeadlineQueue(scheduler, totalMs);
  const send: Send = calls.wrap(record(withRetries(retry, retries, attempt)));

  const probe = probeOf(settings, endpoints, { scheduler, send: authentication.send });
  const { drainMs = DRAIN_MS } = options;
  const dial = network.options;
  const checkConnection = createReachabilityCheck(settings, endpoints, dial);
  const streamDeps = { endpoints, queue, balancer, authentication, scheduler, redact, dial, drainMs };
  const streams = openStreams(settings, streamDeps);

  return {
    ...(settings.redactReplies && { redactReply: secrets.redactReply }),
    callerHeaders,
    pass: (request, signal) => calls.stream(request, streams.pass(request, signal)),
    send: (request, caller, span) =>
      settledInTime({ totalMs, setting: 'timeouts.totalMs', caller, scheduler, queue: deadlines }, (call) => {
        // An error of `validate` becomes a rejection.
        const url = validate(request);
        send({ request, url, deadline: call, span, tried: NO_ENDPOINTS, queuedMs: undefined }, call);
      }),
    ...(probe && { probe }),
    ...(!isFixed(auth) && { login: loginOf(authentication, endpoints, { totalMs, scheduler }) }),
    ...(checkConnection && { checkConnection }),
    status: () => statusOf({ endpoints, queue, streams, balancer, counters, network }),
    close: () => closeInOrder(streams, authentication, [network, logins]),
  };
}

/** Ends the streams, then the renewal of credentials, then the connections. */
async function closeInOrder(
  streams: Pick<Streams, 'close'>,
  authentication: Pick<AuthenticatedSender, 'close'>,
  connections: readonly { readonly close: () => Promise<unknown> }[],
): Promise<void> {
  await streams.close();
  authentication.close();
  await Promise.all(connections.map((one) => one.close()));
}

function callerHeadersOf(
  auth: AdapterSettings['auth'],
  [first, ...others]: Endpoints,
  redact: Redact,
): NonNullable<Upstream['callerHeaders']> {
  const parameter = auth.type === 'query' ? auth.name : undefined;
  return createCallerHeaders({ bases: [first.base, ...others.map(({ base }) => base)], parameter, redact });
}

/** Creates the health probe of an adapter; `undefined` if the settings name no path. */
function probeOf(
  { health, timeouts: { totalMs } }: AdapterSettings,
  endpoints: Endpoints,
  { scheduler, send }: { readonly scheduler: Scheduler; readonly send: SendTo },
): Upstream['probe'] {
  if (health.path === null) return undefined;
  return createProbe(endpoints, { ...probeRequest(health.path, endpoints), totalMs, scheduler }, send);
}

/** Creates the login without a request. It ends after `totalMs`, as the login of a call does. */
function loginOf(
  { acquireCredentials }: Pick<AuthenticatedSender, 'acquireCredentials'>,
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

interface NetworkParts extends Pick<UpstreamOptions, 'inspect' | 'tracer' | 'secretVersions'> {
  readonly scheduler: Scheduler;
}

/** Opens the connections of an adapter; each base URL has as many as there are concurrent calls, plus one. */
function openNetwork(
  settings: AdapterSettings,
  tls: TlsMaterial,
  { scheduler, tracer, inspect, secretVersions }: NetworkParts,
) {
  const { timeouts, replyBytes, queue, proxy, isolateBodies } = settings;
  const { connectMs } = timeouts;
  const options = { tls, connectMs, scheduler, isolateBodies, inspect, ...(proxy !== null && { proxy }) };
  // One extra connection, so that a health probe never waits for calls.
  const connections = openConnections({ ...options, connections: queue.concurrent + 1 });
  const { firstByteMs } = timeouts;
  const limits = { ...(firstByteMs !== null && { firstByteMs }), replyBytes };
  const send: SendWith = (call, { endpoint, credentials }, settlement) => {
    const { deadline } = call;
    deadline.phase = 'connecting';
    const facts = { breaker: endpoint.breaker.state(), queuedMs: call.queuedMs, secrets: secretVersions };
    const request = buildRequest(call, endpoint, credentials);
    const span = (call.span ?? tracer)?.request(request, facts);
    const { origin } = endpoint.base;
    const terms = { limits, deadline, owner: 'adapter', origin, trace: span?.headers } as const;
    connections.send(request, terms, span?.end ? new TracedSettlement(span.end, settlement) : settlement);
  };
  return { options, send, counts: () => connections.counts(), close: () => connections.close() };
}

function probeRequest(path: string, [first]: Endpoints) {
  return { request: { method: 'GET', path, headers: { accept: '*/*' } }, url: confine(first.base, path) };
}

/** The sources of an adapter's status. */
interface StatusSources {
  readonly endpoints: Endpoints;
  readonly queue: Pick<Queue, 'inFlight' | 'waiting' | 'refused'>;
  readonly streams: Pick<Streams, 'waiting' | 'refused'>;
  readonly balancer: Pick<Balancer, 'current'>;
  readonly counters: Pick<Counters, 'counts'>;
  readonly network: Pick<Connections, 'counts'>;
}

/** Returns the current state as plain numbers. */
export function statusOf(sources: StatusSources): UpstreamStatus {
  const { endpoints, queue, streams, balancer, counters, network } = sources;
  return {
    inFlight: queue.inFlight(),
    waiting: queue.waiting() + streams.waiting(),
    refused: queue.refused() + streams.refused(),
    ...counters.counts(),
    ...network.counts(),
    baseUrls: endpoints.map(({ url, breaker, inFlight }) => ({
      url,
      breaker: breaker.state(),
      waitMs: Math.ceil(breaker.waitMs()),
      failures: breaker.failures(),
      inFlight,
    })),
    current: balancer.current().url,
  };
}

/** Counters of an adapter since it was opened. */
export interface Counters {
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

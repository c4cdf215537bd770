import type { AdapterSettings } from '../core/adapter-settings.js';
import { type Scheduler, monotonicScheduler } from '../core/lib/clock.js';
import type { TlsMaterial } from '../core/http.js';
import { type Log, silentLog } from '../core/log.js';
import type { Redact } from '../core/redactor.js';
import type { RequestTracer } from '../core/trace.js';
import type { Upstream, UpstreamStatus } from '../core/upstream.js';
import { openConnections, type Connections } from './client.js';
import { withDeadline } from './deadline.js';
import { openLoginClient } from './login/login-client.js';
import { createRequestValidator, buildRequest, type ValidateRequest } from './build-request.js';
import { createBalancer, withLoadBalancing, type Balancer } from './policy/balance.js';
import { createQueue, withConcurrencyLimit, type Queue } from './policy/queue.js';
import { createRetryBudget } from './policy/retry-budget.js';
import { withRetries } from './policy/retry.js';
import { createProbe } from './probe.js';
import type { Send, SendTo } from './send.js';
import { withAuthentication, type SendWith } from './with-authentication.js';
import { openStreams } from './stream/proxy-streams.js';
import { withRecording } from './stub/recorder.js';
import { createSecretMask } from './stub/secret-mask.js';
import { confine } from './target.js';
import { withTracing } from './with-tracing.js';
import { createEndpoints, type Endpoints } from './endpoint.js';
import { readFile } from 'node:fs/promises';
import { Problem } from '../core/problem.js';
import { parseRecording, recordingFile } from './stub/recording.js';
import { scrubPath } from './stub/scrub.js';

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
}

const DRAIN_MS = 30_000;

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
  const endpoints = createEndpoints(settings, { clock: scheduler, random });
  const check = createRequestValidator(endpoints, auth);
  const secrets = createSecretMask(settings, options);
  if (settings.stub) return openStub(settings, endpoints, { check, redact: secrets.redact });

  const tally = createCounters();
  const network = openNetwork(settings, tls, { scheduler, tracer });
  const logins = openLoginClient(network.options, { totalMs, scheduler, endpoints, tracer });
  const sessions = { scheduler, log, send: logins.send, onSecret: secrets.keep, onLogin: tally.login };
  const signIn = withAuthentication(auth, sessions, network.send);
  const queue = createQueue(settings.queue);
  const balancer = createBalancer(endpoints, balance);
  const budget = createRetryBudget(retry.budgetPercent);
  const retries = { budget, clock: scheduler, random, endpoints: endpoints.length, onRetry: tally.retry };
  const record = withRecording(settings, endpoints, { redact: secrets.redact, log });

  // The layers of a call, from the caller inward; all share one deadline.
  const send: Send = record(
    withRetries(retry, retries, withConcurrencyLimit(queue, withLoadBalancing(balancer, signIn.send))),
  );

  const probe = probeOf(settings, endpoints, { scheduler, send: signIn.send });
  const streams = openStreams(settings, {
    endpoints,
    queue,
    balancer,
    signIn,
    scheduler,
    redact: secrets.redact,
    dial: network.options,
    drainMs: options.drainMs ?? DRAIN_MS,
  });

  return {
    access: settings.access,
    pass: streams.pass,
    // Asynchronous, so that an error of `check` becomes a rejection.
    async send(request, signal, span) {
      const url = check(request);
      return withDeadline({ totalMs, caller: signal, scheduler }, (deadline) =>
        send({ request, url, deadline, span, tried: [] }),
      );
    },
    ...(probe && { probe }),
    status: () => statusOf({ endpoints, queue, balancer, tally, network }),
    async close() {
      await streams.close();
      signIn.close();
      await Promise.all([network.close(), logins.close()]);
    },
  };
}

/** The health probe of an adapter, if its settings name a path. */
function probeOf(
  { health, timeouts: { totalMs } }: AdapterSettings,
  endpoints: Endpoints,
  { scheduler, send }: { readonly scheduler: Scheduler; readonly send: SendTo },
): Upstream['probe'] {
  if (health.path === null) return undefined;
  return createProbe(endpoints, { ...probeRequest(health.path, endpoints), totalMs, scheduler }, send);
}

/** Opens the connections of an adapter; each base URL has as many as there are concurrent calls, plus one. */
function openNetwork(
  settings: AdapterSettings,
  tls: TlsMaterial,
  { scheduler, tracer }: { readonly scheduler: Scheduler; readonly tracer: RequestTracer | undefined },
) {
  const { timeouts, replyBytes, queue, proxy } = settings;
  const options = { tls, connectMs: timeouts.connectMs, scheduler, ...(proxy !== null && { proxy }) };
  // One extra connection, so that a health probe never waits for calls.
  const connections = openConnections({ ...options, connections: queue.concurrent + 1 });
  const limits = { firstByteMs: timeouts.firstByteMs, replyBytes };
  const send: SendWith = (call, endpoint, credentials) => {
    const { deadline } = call;
    deadline.phase = 'connecting';
    return withTracing(call.span ?? tracer, buildRequest(call, endpoint, credentials), (request) =>
      connections.exchange(request, { limits, deadline }),
    );
  };
  return { options, send, counts: () => connections.counts(), close: () => connections.close() };
}

function probeRequest(path: string, [first]: Endpoints) {
  return { request: { method: 'GET', path, headers: { accept: '*/*' } }, url: confine(first.base, path) };
}

/** The sources of an adapter's status. */
interface StatusParts {
  readonly endpoints: Endpoints;
  readonly queue: Pick<Queue, 'inFlight' | 'waiting' | 'refused'>;
  readonly balancer: Pick<Balancer, 'current'>;
  readonly tally: Pick<Counters, 'counts'>;
  readonly network: Pick<Connections, 'counts'>;
}

/** Returns the current state as plain numbers. */
export function statusOf({ endpoints, queue, balancer, tally, network }: StatusParts): UpstreamStatus {
  return {
    inFlight: queue.inFlight(),
    waiting: queue.waiting(),
    refused: queue.refused(),
    ...tally.counts(),
    ...network.counts(),
    baseUrls: endpoints.map(({ url, breaker, inFlight }) => ({
      url,
      breaker: breaker.state(),
      failures: breaker.failures(),
      inFlight,
    })),
    current: balancer.current().url,
  };
}

interface StubDeps {
  readonly check: ValidateRequest;
  /** Removes the same secrets from a path as during recording. */
  readonly redact: Redact;
}

/**
 * Creates a stub that replays recorded replies and never sends requests. Throws `stub_missing` for a call
 * without a recording, and `invalid_path` like the real client.
 */
function openStub(
  { recordings, access }: Pick<AdapterSettings, 'recordings' | 'access'>,
  endpoints: Endpoints,
  { check, redact }: StubDeps,
): Upstream {
  return {
    access,
    async send(request, signal) {
      check(request);
      const path = scrubPath(request.path, redact);
      const file = recordingFile(recordings, endpoints[0].base, { method: request.method, path });
      const text = await readRecording(file, `${request.method} ${path.split('?', 1)[0] ?? ''}`);
      if (signal.aborted) throw new Problem('caller_gone', 'the caller left before the reply was complete');
      return parsed(text);
    },
    close: () => Promise.resolve(),
  };
}

async function readRecording(file: string, call: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('stub_missing', `the adapter is a stub, and no reply is recorded for ${call}`, {
      cause,
    });
  }
}

function parsed(text: string): ReturnType<typeof parseRecording> {
  try {
    return parseRecording(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new Problem('stub_missing', `the recorded reply cannot be used: ${why}`);
  }
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

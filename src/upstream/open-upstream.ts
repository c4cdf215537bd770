import type { AdapterSettings } from '../core/adapter-settings.js';
import { type Scheduler, monotonicScheduler } from '../core/lib/clock.js';
import type { TlsMaterial } from '../core/http.js';
import { type Log, silentLog } from '../core/log.js';
import type { Redact } from '../core/redactor.js';
import type { RequestTracer } from '../core/trace.js';
import type { Upstream } from '../core/upstream.js';
import { openConnections } from './client.js';
import { withDeadline } from './deadline.js';
import { openLoginClient } from './login/login-client.js';
import { createRequestValidator, buildRequest } from './build-request.js';
import { createBalancer, withLoadBalancing } from './policy/balance.js';
import { createQueue, withConcurrencyLimit } from './policy/queue.js';
import { createRetryBudget } from './policy/retry-budget.js';
import { withRetries } from './policy/retry.js';
import { createProbe } from './probe.js';
import type { Send } from './send.js';
import { withAuthentication, type SendWith } from './with-authentication.js';
import { statusOf } from './status.js';
import { openStreams } from './stream/proxy-streams.js';
import { openStub } from './stub/open-stub.js';
import { withRecording } from './stub/recorder.js';
import { createSecretMask } from './stub/secret-mask.js';
import { confine } from './target.js';
import { createCounters } from './counters.js';
import { withTracing } from './with-tracing.js';
import { createEndpoints, type Endpoints } from './endpoint.js';

/** What the wiring and tests may hand in. */
export interface UpstreamOptions {
  /** Absent: a clock that nobody can set, because breakers and sessions live by durations. */
  readonly scheduler?: Scheduler;
  /** From 0 up to 1; absent: `Math.random`. */
  readonly random?: () => number;
  readonly log?: Log;
  /** Told each token and cookie of a login before it is used; the result is called when it is no longer in use. */
  readonly onSecret?: (value: string) => () => void;
  /** Takes secrets out of what is recorded, besides those that the adapter itself knows. */
  readonly redact?: Redact;
  /** Where requests that no call causes begin their traces; absent: those have none. */
  readonly tracer?: RequestTracer;
  /** How long streams may go on once it is closed, in milliseconds; absent: 30 seconds. */
  readonly drainMs?: number;
}

const DRAIN_MS = 30_000;

/**
 * The one way to an adapter's orchestrator, with connections of its own. Opens none before the first call.
 * Throws when `upstreamFaults` has something to say.
 */
export function openUpstream(
  settings: AdapterSettings,
  tls: TlsMaterial,
  options: UpstreamOptions = {},
): Upstream {
  const { scheduler = monotonicScheduler, random = Math.random, log = silentLog, tracer } = options;
  const { auth, balance, retry, health } = settings;
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

  // What a call goes through, from the caller inwards; all of it under one deadline.
  const send: Send = record(
    withRetries(retry, retries, withConcurrencyLimit(queue, withLoadBalancing(balancer, signIn.send))),
  );

  const { redact } = secrets;
  const streams = openStreams(settings, {
    endpoints,
    queue,
    balancer,
    signIn,
    scheduler,
    redact,
    dial: network.options,
    drainMs: options.drainMs ?? DRAIN_MS,
  });

  return {
    access: settings.access,
    pass: streams.pass,
    // Asynchronous, so that what `check` throws is a rejection as well.
    async send(request, signal, span) {
      const url = check(request);
      return withDeadline({ totalMs, caller: signal, scheduler }, (deadline) =>
        send({ request, url, deadline, span, tried: [] }),
      );
    },
    ...(health.path !== null && {
      probe: createProbe(
        endpoints,
        { ...probeRequest(health.path, endpoints), totalMs, scheduler },
        signIn.send,
      ),
    }),
    status: () => statusOf({ endpoints, queue, balancer, tally, network }),
    async close() {
      await streams.close();
      signIn.close();
      await Promise.all([network.close(), logins.close()]);
    },
  };
}

/** The connections of an adapter, as many to each base URL as calls may be on their way. */
function openNetwork(
  settings: AdapterSettings,
  tls: TlsMaterial,
  { scheduler, tracer }: { readonly scheduler: Scheduler; readonly tracer: RequestTracer | undefined },
) {
  const { timeouts, replyBytes, queue, proxy } = settings;
  const options = { tls, connectMs: timeouts.connectMs, scheduler, ...(proxy !== null && { proxy }) };
  // One more, so that a health probe never waits behind calls.
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

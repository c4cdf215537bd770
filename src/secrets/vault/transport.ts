import { jitteredBackoffMs } from '../../lib/backoff.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import type { VaultSettings } from '../../settings/vault.js';
import { SecretError } from '../secret-error.js';
import type { VaultHttp } from './http.js';
import { RequestRate } from './request-rate.js';
import { sendRequest, type VaultAnswer, type VaultCall } from './send-request.js';

/** Sends the requests of `node-vault`. Throws a {@link SecretError} if Vault does not answer with 200 or 204. */
export type VaultTransport = (call: VaultCall) => Promise<VaultAnswer>;

/** Waits for a number of milliseconds; ends early when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

interface TransportDeps {
  readonly http: VaultHttp;
  readonly scheduler: Scheduler;
  readonly wait: Wait;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

interface CountedTransport {
  readonly transport: VaultTransport;
  /** Returns the count of every attempt so far, including retries. */
  readonly counts: () => readonly RequestCount[];
}

/**
 * Creates the transport for all requests to Vault. It repeats requests that may succeed later, after the time that Vault
 * requests (`Retry-After`), or after a random time of 0.5 to 8 s. It repeats a POST only if Vault certainly did not
 * process it, because a login may use up a secret id. A request that a quota refuses (429) slows down all others, and is repeated
 * for 30 s.
 */
export function createTransport(
  settings: VaultSettings,
  { http, scheduler, wait, random, signal }: TransportDeps,
): CountedTransport {
  const { namespace, request } = settings;
  const { deadlineMs, attempts } = request;
  const origins = settings.address.map((address) => new URL(address).origin);
  const options = { http, origins, namespace, deadlineMs, clock: scheduler, signal };
  const requests = new RequestCounts();
  const circuit = new CircuitBreaker(scheduler);
  const rate = new RequestRate(scheduler, random);
  const nodes = new Nodes(origins);
  const sendOnce: VaultTransport = async (call) => {
    try {
      const answer = await sendRequest(call, options);
      requests.add(call, String(answer.statusCode));
      return answer;
    } catch (error) {
      requests.add(call, resultCodeOf(error));
      throw error;
    }
  };
  return {
    counts: () => requests.list(),
    transport: async (call) => {
      for (let attempt = 1, refusedMs = 0; ;) {
        const turn = rate.reserve();
        // A request that is sent once has little time, and few are of this kind.
        if (turn.waitMs > 0 && call.once !== true) await wait(turn.waitMs, signal);
        try {
          const answer = await circuit.run(() => nodes.send(call, sendOnce));
          rate.noteServed();
          return answer;
        } catch (error) {
          const isRefused = isRateLimited(error);
          const pauseMs = isRefused ? rate.noteRefused(turn, error.facts.retryAfterMs) : 0;
          const isLast = isRefused ? attempts === 1 || refusedMs >= MAX_REFUSED_MS : attempt >= attempts;
          if (isLast || !mayRetry(call, error)) throw error;
          refusedMs += pauseMs;
          if (isRefused) continue;
          await wait(retryDelayMs(error, attempt, random), signal);
          attempt += 1;
        }
      }
    },
  };
}

/** Time in which a request that a quota refuses is repeated, in milliseconds. */
const MAX_REFUSED_MS = 30_000;

function isRateLimited(error: unknown): error is SecretError {
  return error instanceof SecretError && error.code === 'VAULT_RATE_LIMITED';
}

const RETRY_BACKOFF = { firstMs: 500, maxMs: 8_000 };

// Statuses without any effect: Vault did not process the request, so even a login can be sent again.
const UNPROCESSED_STATUSES = new Set([412, 425, 429, 503]);
// Statuses after which Vault may have processed the request, so only a GET can be sent again.
const POSSIBLY_PROCESSED_STATUSES = new Set([408, 500, 502, 504]);

/** Returns true if a retry of the call is harmless and may succeed. */
function mayRetry(call: VaultCall, error: unknown): error is SecretError {
  if (!(error instanceof SecretError) || call.once === true) return false;
  const { code, facts } = error;
  // A failed engine is asked again on the schedule of its secret, and a failed login method with the next read.
  if (isBackendFailure(code)) return false;
  const repeatable = call.method === 'GET';
  if (facts.status !== undefined) return mayRetryStatus(facts.status, repeatable);
  const { unsent = false, circuitOpen = false } = facts;
  const isUnreachable = code === 'VAULT_UNAVAILABLE' || code === 'VAULT_TIMEOUT';
  return isUnreachable && !circuitOpen && (repeatable || unsent);
}

/** Returns true for the failure of what Vault connects to, which is the same at every node. */
function isBackendFailure(code: SecretError['code']): boolean {
  return code === 'VAULT_ENGINE_FAILED' || code === 'VAULT_LOGIN_UNAVAILABLE';
}

function mayRetryStatus(status: number, repeatable: boolean): boolean {
  return UNPROCESSED_STATUSES.has(status) || (repeatable && POSSIBLY_PROCESSED_STATUSES.has(status));
}

function retryDelayMs(error: SecretError, attempt: number, random: () => number): number {
  return error.facts.retryAfterMs ?? jitteredBackoffMs(attempt, RETRY_BACKOFF, random);
}

const MAX_FAILURES = 5;
const PROBE_INTERVAL_MS = 5000;

/**
 * Circuit breaker. After five consecutive requests without a reply, one request is sent every 5 s and the others fail at
 * once with `VAULT_UNAVAILABLE`. The first reply, whatever its status, closes the circuit.
 */
class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  /** Failure of the latest request without a reply. */
  #cause: SecretError | undefined;
  #nextProbe = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    if (this.#failures >= MAX_FAILURES) {
      if (this.#clock.now() < this.#nextProbe) throw circuitOpen(this.#cause);
      this.#probeLater();
    }
    try {
      const answer = await send();
      this.#failures = 0;
      return answer;
    } catch (error) {
      this.#failures = isUnanswered(error) ? this.#failures + 1 : 0;
      if (isUnanswered(error)) this.#cause = error;
      if (this.#failures === MAX_FAILURES) this.#probeLater();
      throw error;
    }
  }

  #probeLater(): void {
    this.#nextProbe = this.#clock.now() + PROBE_INTERVAL_MS;
  }
}

function isUnanswered(error: unknown): error is SecretError {
  if (!(error instanceof SecretError) || error.facts.status !== undefined) return false;
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

/** Returns the failure of a request that was not sent, with the cause of the earlier ones. */
function circuitOpen(cause: SecretError | undefined): SecretError {
  const failure = {
    code: 'VAULT_UNAVAILABLE',
    message: `${cause?.message ?? 'Vault did not answer'}; after ${MAX_FAILURES} such failures this request was not sent`,
    fix: cause?.fix ?? 'Check that Vault is up and that vault.address is right.',
  } as const;
  return new SecretError(failure, { unsent: true, circuitOpen: true });
}

// Statuses of a node that cannot serve now. Load balancers pass on 472 to 474 from sys/health.
const HEALTH_STATUSES = [472, 473, 474];

/**
 * Nodes of Vault. Every request goes to the node that worked last. If that node does not answer or cannot serve, the
 * request continues with the next one. A request that a node may have processed is not sent to another node.
 */
class Nodes {
  readonly #origins: readonly string[];
  #current = 0;

  constructor(origins: readonly string[]) {
    this.#origins = origins;
  }

  async send(call: VaultCall, send: VaultTransport): Promise<VaultAnswer> {
    const { length } = this.#origins;
    const { pathname, search } = new URL(call.uri);
    for (let attempt = 1; ; attempt += 1) {
      const index = this.#current;
      const uri = `${this.#origins[index] ?? ''}${pathname}${search}`;
      try {
        return await send({ ...call, uri });
      } catch (error) {
        if (!isNodeFailure(error)) throw error;
        // A concurrent request may already have switched the node.
        if (this.#current === index) this.#current = (index + 1) % length;
        if (attempt >= length || !mayTryOtherNode(call, error)) throw error;
      }
    }
  }
}

function isNodeFailure(error: unknown): error is SecretError {
  if (!(error instanceof SecretError) || isBackendFailure(error.code)) return false;
  const { status } = error.facts;
  if (status !== undefined) return status >= 500 || HEALTH_STATUSES.includes(status);
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

/**
 * Returns true if another node may serve the call: for repeatable requests, and for failures of this node
 * only.
 */
function mayTryOtherNode(call: VaultCall, error: SecretError): boolean {
  const { status, unsent = false } = error.facts;
  const wasNotServed = unsent || status === 501 || HEALTH_STATUSES.includes(status ?? 0);
  return mayRetry(call, error) || (wasNotServed && call.once !== true);
}

/** Number of requests to Vault with the same operation and result. */
export interface RequestCount {
  /** Kind of operation; never a path. */
  readonly op: 'login' | 'token' | 'lease' | 'wrapping' | 'mount' | 'read' | 'write';
  /** Status of the reply, or the code of the failure if there was no reply. */
  readonly code: string;
  readonly count: number;
}

const OPERATION_PATTERNS: readonly (readonly [RegExp, RequestCount['op']])[] = [
  [/^\/v1\/auth\/token\//, 'token'],
  [/^\/v1\/auth\/.+\/login(?:\/[^/]+)?$/, 'login'],
  [/^\/v1\/sys\/leases\//, 'lease'],
  [/^\/v1\/sys\/wrapping\//, 'wrapping'],
  [/^\/v1\/sys\/internal\/ui\/mounts\//, 'mount'],
];

/** Counts of requests, by operation and result. */
class RequestCounts {
  readonly #counts = new Map<string, RequestCount>();

  add({ method, uri }: VaultCall, code: string): void {
    const op = operationOf(method, new URL(uri).pathname);
    const key = `${op} ${code}`;
    this.#counts.set(key, { op, code, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  list(): readonly RequestCount[] {
    return [...this.#counts.values()];
  }
}

function operationOf(method: string, path: string): RequestCount['op'] {
  const known = OPERATION_PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
  return known ?? (method === 'GET' ? 'read' : 'write');
}

function resultCodeOf(error: unknown): string {
  if (!(error instanceof SecretError)) return 'unknown';
  return error.facts.status === undefined ? error.code : String(error.facts.status);
}

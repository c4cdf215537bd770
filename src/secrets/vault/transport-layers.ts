import type { VaultSettings } from '../../core/vault-settings.js';
import { jitteredBackoffMs } from '../../lib/backoff.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { SecretError } from '../secret-error.js';
import type { VaultHttp } from './http.js';
import { createTransport, type VaultCall, type VaultTransport } from './transport.js';

/** Dependencies of the transport. */
interface TransportDeps extends Omit<RetryOptions, 'attempts'> {
  readonly http: VaultHttp;
  readonly scheduler: Scheduler;
}

/**
 * Creates the transport from the inside out: single request, request counts, failover, circuit breaker,
 * retries.
 */
export function layeredTransport(
  { address: addresses, namespace, request }: VaultSettings,
  { http, scheduler, wait, random, signal }: TransportDeps,
): CountedTransport {
  const { deadlineMs, attempts } = request;
  const base = createTransport({ http, addresses, namespace, deadlineMs, clock: scheduler, signal });
  const { transport: counted, counts } = countRequests(base);
  const resilient = withCircuitBreaker(withFailOver(counted, addresses), scheduler);
  return { transport: withRetries(resilient, { attempts, wait, random, signal }), counts };
}

/** Waits for a number of milliseconds; ends early when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

interface RetryOptions {
  /** Maximum number of attempts for one request, from 1. */
  readonly attempts: number;
  readonly wait: Wait;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const RETRY_BACKOFF = { firstMs: 500, maxMs: 8_000 };

// Statuses without any effect: Vault did not process the request, so even a login can be sent again.
const UNPROCESSED_STATUSES = new Set([412, 425, 429, 503]);
// Statuses after which Vault may have processed the request, so only a GET can be sent again.
const POSSIBLY_PROCESSED_STATUSES = new Set([408, 500, 502, 504]);

/**
 * Wraps a transport with retries of requests that may succeed later. It waits as long as Vault requests
 * (`Retry-After`), or for a random time of 0.5 to 8 s. It repeats a POST only if Vault certainly did not
 * process it, because a login may use up a secret id.
 */
function withRetries(transport: VaultTransport, options: RetryOptions): VaultTransport {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transport(call);
      } catch (error) {
        if (attempt >= options.attempts || !mayRetry(call, error)) throw error;
        await options.wait(retryDelayMs(error, attempt, options.random), options.signal);
      }
    }
  };
}

/** Returns true if a retry of the call is harmless and may succeed. */
function mayRetry(call: VaultCall, error: unknown): error is SecretError {
  if (!(error instanceof SecretError) || call.once === true) return false;
  const { code, facts } = error;
  // A failed engine is asked again on the schedule of its secret.
  if (code === 'VAULT_ENGINE_FAILED') return false;
  const repeatable = call.method === 'GET';
  if (facts.status !== undefined) return mayRetryStatus(facts.status, repeatable);
  const { unsent = false, circuitOpen = false } = facts;
  const isUnreachable = code === 'VAULT_UNAVAILABLE' || code === 'VAULT_TIMEOUT';
  return isUnreachable && !circuitOpen && (repeatable || unsent);
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
 * Wraps a transport with a circuit breaker. After five consecutive requests without a reply, one request is
 * sent every 5 s and the others fail at once with `VAULT_UNAVAILABLE`. The first reply, whatever its status,
 * closes the circuit.
 */
function withCircuitBreaker(transport: VaultTransport, clock: Clock): VaultTransport {
  let failures = 0;
  let nextProbe = 0;
  return async (call) => {
    if (failures >= MAX_FAILURES) {
      if (clock.now() < nextProbe) throw circuitOpen();
      nextProbe = clock.now() + PROBE_INTERVAL_MS;
    }
    try {
      const answer = await transport(call);
      failures = 0;
      return answer;
    } catch (error) {
      failures = isUnanswered(error) ? failures + 1 : 0;
      if (failures === MAX_FAILURES) nextProbe = clock.now() + PROBE_INTERVAL_MS;
      throw error;
    }
  };
}

function isUnanswered(error: unknown): boolean {
  if (!(error instanceof SecretError) || error.facts.status !== undefined) return false;
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

function circuitOpen(): SecretError {
  const failure = {
    code: 'VAULT_UNAVAILABLE',
    message: 'Vault did not answer the last requests, so this request was not sent',
    fix: 'Check that Vault is up and that vault.address is right; the gateway tries again every 5 seconds.',
  } as const;
  return new SecretError(failure, { unsent: true, circuitOpen: true });
}

// Statuses of a node that cannot serve now. Load balancers pass on 472 to 474 from sys/health.
const HEALTH_STATUSES = [472, 473, 474];

/**
 * Wraps a transport with failover. It sends every request to the address that worked last. If that address
 * does not answer or cannot serve, it continues with the next address. A request that a node may have
 * processed is not sent to another node.
 */
function withFailOver(transport: VaultTransport, addresses: readonly string[]): VaultTransport {
  const origins = addresses.map((address) => new URL(address).origin);
  let current = 0;
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const index = current;
      try {
        return await transport({
          ...call,
          uri: call.uri.replace(new URL(call.uri).origin, origins[index] ?? ''),
        });
      } catch (error) {
        if (!isNodeFailure(error)) throw error;
        // A concurrent request may already have switched the address.
        if (current === index) current = (index + 1) % origins.length;
        if (attempt >= origins.length || !mayTryOtherNode(call, error)) throw error;
      }
    }
  };
}

function isNodeFailure(error: unknown): error is SecretError {
  if (!(error instanceof SecretError) || error.code === 'VAULT_ENGINE_FAILED') return false;
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

/** A transport and its request counts. */
interface CountedTransport {
  readonly transport: VaultTransport;
  readonly counts: () => readonly RequestCount[];
}

const OPERATION_PATTERNS: readonly (readonly [RegExp, RequestCount['op']])[] = [
  [/^\/v1\/auth\/token\//, 'token'],
  [/^\/v1\/auth\/.+\/login$/, 'login'],
  [/^\/v1\/sys\/leases\//, 'lease'],
  [/^\/v1\/sys\/wrapping\//, 'wrapping'],
  [/^\/v1\/sys\/internal\/ui\/mounts\//, 'mount'],
];

/** Wraps a transport to count each attempt, including retries. */
function countRequests(inner: VaultTransport): CountedTransport {
  const counts = new Map<string, RequestCount>();
  const add = ({ method, uri }: VaultCall, code: string): void => {
    const op = operationOf(method, new URL(uri).pathname);
    const key = `${op} ${code}`;
    counts.set(key, { op, code, count: (counts.get(key)?.count ?? 0) + 1 });
  };
  return {
    counts: () => [...counts.values()],
    transport: async (call) => {
      try {
        const answer = await inner(call);
        add(call, String(answer.statusCode));
        return answer;
      } catch (error) {
        add(call, resultCodeOf(error));
        throw error;
      }
    },
  };
}

function operationOf(method: string, path: string): RequestCount['op'] {
  const known = OPERATION_PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
  return known ?? (method === 'GET' ? 'read' : 'write');
}

function resultCodeOf(error: unknown): string {
  if (!(error instanceof SecretError)) return 'unknown';
  return error.facts.status === undefined ? error.code : String(error.facts.status);
}

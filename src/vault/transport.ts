import type { Clock } from '../core/lib/clock.js';
import type { HttpClient, HttpReply, HttpRequest } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { retryAfterMs } from '../core/retry-after.js';
import { parseJson } from '../core/strict-json.js';
import { isJsonObject, type JsonObject } from '../core/json-object.js';
import { replyError, type VaultRequest } from './reply-error.js';
import { VaultError } from './vault-error.js';

// Names that Node's TLS gives its verification and handshake errors.
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

// What happens before a connection stands.
const NO_CONNECTION = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const SYSTEM_WORD = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?=: |$)/;
const MAX_DEPTH = 5;

/** The error for a request that got no reply. Of the cause it keeps the system's word for it (`ECONNREFUSED`) alone. */
export function connectionError(exchange: VaultRequest, problem: Problem): VaultError {
  const word = systemWord(problem);
  const target = `${exchange.method} "${exchange.path}" at ${exchange.host}`;
  if (word !== undefined && TLS_CODE.test(word)) {
    const what = {
      code: 'VAULT_TLS',
      message: `${target} failed: Vault's certificate is not trusted (${word})`,
      fix: 'Name the CA of Vault in vault.tls.caFile, and the name in its certificate in vault.tls.serverName.',
    } as const;
    return new VaultError(what, { unsent: true });
  }
  if (problem.code === 'upstream_timeout') {
    const fix = 'Check that Vault is up, or raise vault.request.deadlineMs.';
    return new VaultError({ code: 'VAULT_TIMEOUT', message: `${target} took too long`, fix });
  }
  if (problem.code === 'upstream_bad_reply' || problem.code === 'upstream_too_large') {
    const fix = 'Check what listens at vault.address.';
    return new VaultError({ code: 'VAULT_BAD_RESPONSE', message: `${target} had an unusable reply`, fix });
  }
  const what = {
    code: 'VAULT_UNAVAILABLE',
    message: `${target} failed: no connection${word === undefined ? '' : ` (${word})`}`,
    fix: 'Check that Vault is up and that vault.address is right.',
  } as const;
  return new VaultError(what, word !== undefined && NO_CONNECTION.test(word) ? { unsent: true } : {});
}

/** The system's word of the innermost error that has one: as its `code`, or at the head of its message. */
function systemWord(problem: Problem): string | undefined {
  let word: string | undefined;
  let error: unknown = problem.extras.cause;
  for (let depth = 0; depth < MAX_DEPTH && error instanceof Error; depth += 1) {
    const text = 'code' in error ? String(error.code) : error.message;
    word = SYSTEM_WORD.exec(text)?.[0] ?? word;
    error = error.cause;
  }
  return word;
}

/** One request as `node-vault` hands it over. */
export interface VaultCall {
  readonly method: string;
  /** Absolute URL. */
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; only objects count. */
  readonly json?: unknown;
  /** Instead of the configured one. */
  readonly deadlineMs?: number;
  /** Instead of the configured one; an empty text is the root. */
  readonly namespace?: string;
  /** Sent once, whatever comes back. */
  readonly once?: boolean;
}

/** A reply of Vault that succeeded: the parsed JSON object of a 200, nothing for a 204. */
export interface VaultAnswer {
  readonly statusCode: number;
  readonly body: JsonObject | undefined;
}

export type VaultTransport = (call: VaultCall) => Promise<VaultAnswer>;

export interface TransportOptions {
  readonly http: HttpClient;
  /** Addresses of Vault: requests and redirects go nowhere else. */
  readonly addresses: readonly string[];
  readonly namespace: string | null;
  /** Wall time that one request may take. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const REPLY_BYTES = 1024 * 1024;
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * The way of every request to Vault. It goes to the configured origins only, follows one 307 between them (never to
 * http), takes at most `deadlineMs` and 1 MiB, and gives a JSON object or throws a {@link VaultError}.
 */
export function createTransport(options: TransportOptions): VaultTransport {
  const origins = new Set(options.addresses.map((address) => new URL(address).origin));
  return async (call) => {
    const url = new URL(call.uri);
    if (!origins.has(url.origin))
      throw unexpected(exchangeOf(call.method, url), 'would leave the configured address');
    const request = requestFor(call, url, options.namespace);
    const started = performance.now();
    const deadlineMs = call.deadlineMs ?? options.deadlineMs;
    const first = await send(request, deadlineMs, options);
    if (first.status !== 307) return answer(exchangeOf(call.method, url), first, options.clock);
    const target = redirectTarget(first, url, origins);
    if (!target)
      throw unexpected(exchangeOf(call.method, url), 'was answered with a redirect to another place');
    const left = Math.max(1, deadlineMs - (performance.now() - started));
    const second = await send({ ...request, url: target.href }, left, options);
    return answer(exchangeOf(call.method, target), second, options.clock);
  };
}

function requestFor(call: VaultCall, url: URL, configured: string | null): HttpRequest {
  const hasBody = typeof call.json === 'object' && call.json !== null;
  // OpenBao refuses sys/health inside a namespace.
  const namespace = call.namespace ?? configured ?? '';
  const inNamespace = namespace !== '' && url.pathname !== '/v1/sys/health';
  return {
    method: call.method,
    url: url.href,
    headers: {
      ...call.headers,
      accept: 'application/json',
      'user-agent': 'gatehouse',
      'X-Vault-Request': 'true',
      ...(inNamespace && { 'X-Vault-Namespace': namespace }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: Buffer.from(JSON.stringify(call.json)) }),
  };
}

async function send(request: HttpRequest, totalMs: number, options: TransportOptions): Promise<HttpReply> {
  try {
    return await options.http.send(request, { totalMs, replyBytes: REPLY_BYTES }, options.signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw connectionError(exchangeOf(request.method, new URL(request.url)), error);
  }
}

function answer(exchange: VaultRequest, reply: HttpReply, clock: Clock): VaultAnswer {
  if (reply.status === 204) return { statusCode: 204, body: undefined };
  const body = jsonObject(reply.body);
  if (reply.status !== 200) {
    const asked = retryAfterMs(reply, clock.now());
    throw replyError(exchange, {
      status: reply.status,
      body,
      ...(asked !== undefined && { retryAfterMs: Math.min(asked, MAX_RETRY_AFTER_MS) }),
    });
  }
  if (!body) throw unexpected(exchange, 'was answered with something that is not a JSON object');
  return { statusCode: 200, body };
}

/** The other node that a standby names: same path, https, and one of ours. */
function redirectTarget(reply: HttpReply, from: URL, origins: ReadonlySet<string>): URL | undefined {
  const location = reply.headers['location'];
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  const same = target.pathname === from.pathname && target.search === from.search;
  const safe = target.protocol === 'https:' && target.username === '' && target.password === '';
  return same && safe && origins.has(target.origin) ? target : undefined;
}

function jsonObject(bytes: Buffer): JsonObject | undefined {
  const parsed = parseJson(bytes);
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function exchangeOf(method: string, url: URL): VaultRequest {
  return { method, host: url.host, path: url.pathname.replace(/^\/v1\//, '') };
}

function unexpected({ method, path, host }: VaultRequest, what: string): VaultError {
  return new VaultError({
    code: 'VAULT_BAD_RESPONSE',
    message: `${method} "${path}" at ${host} ${what}`,
    fix: 'Check that vault.address is Vault itself, not a page, a proxy or a redirect in front of it.',
  });
}

import { retryAfterMs } from '../../core/header.js';
import type { HttpClient, HttpReply, HttpRequest } from '../../core/http.js';
import { Problem } from '../../core/problem.js';
import { type Hop, namingPeer } from '../../core/transport-failure.js';
import { withoutByteOrderMark } from '../../json/byte-order-mark.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { hasMoreValues } from '../../json/json-size.js';
import { parseJson } from '../../json/strict-json.js';
import type { Clock } from '../../lib/clock.js';
import { SecretError } from '../secret-error.js';
import { replyError, type VaultRequest } from './reply-error.js';

// Codes of errors before a connection is established.
const NO_CONNECTION = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const SYSTEM_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?=: |$)/;
const MAX_CAUSE_DEPTH = 5;

/** Next steps by the hop that failed. */
const FIXES: Readonly<Record<Hop, string>> = {
  proxy: 'Correct vault.proxy, or start the proxy and let it connect to Vault.',
  name: 'Correct the host in vault.address, and check the name servers of this machine.',
  address: 'Check that Vault is up and that vault.address is right.',
  tls: 'Name the CA of Vault in vault.tls.caFile, and the name in its certificate in vault.tls.serverName.',
  login: 'Check vault.auth.',
};

/** Code of OpenSSL for a reply that is not of TLS. */
const NO_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';

/**
 * Creates the error for a request without a reply. Of the cause it keeps only the hop that failed and the system error code
 * (`ECONNREFUSED`).
 */
function connectionError(request: VaultRequest, problem: Problem): SecretError {
  const target = `${request.method} "${request.path}" at ${request.host}`;
  const { hop = 'address' } = problem.extras;
  if (problem.code === 'upstream_timeout') return timeoutError(target, problem.message);
  if (problem.code === 'upstream_bad_reply' || problem.code === 'upstream_too_large')
    return unusableReply(target, request.method === 'LIST' && problem.code === 'upstream_too_large');
  const code = systemCodeOf(problem);
  const named = code === undefined ? '' : ` (${code})`;
  const failure = {
    code: hop === 'tls' ? 'VAULT_TLS' : 'VAULT_UNAVAILABLE',
    message: `${target} failed: ${namingPeer(problem.message, 'Vault')}${named}`,
    fix: code === NO_TLS ? 'Write http:// in vault.address, or the port of Vault that has TLS.' : FIXES[hop],
  } as const;
  const isUnsent = hop !== 'address' || (code !== undefined && NO_CONNECTION.test(code));
  return new SecretError(failure, isUnsent ? { unsent: true } : {});
}

function timeoutError(target: string, words: string): SecretError {
  // Only the time of a connection names its hop.
  const hopWords = words.startsWith('no connection') ? `: ${namingPeer(words, 'Vault')}` : '';
  const fix = 'Check that Vault is up, or raise vault.request.deadlineMs.';
  return new SecretError({ code: 'VAULT_TIMEOUT', message: `${target} took too long${hopWords}`, fix });
}

function unusableReply(target: string, hasManyNames: boolean): SecretError {
  const [message, fix] = hasManyNames
    ? [
        `${target} has too many names to list`,
        'Write the reference as a text, or divide the folder into several.',
      ]
    : [`${target} had an unusable reply`, 'Check what listens at vault.address.'];
  return new SecretError({ code: 'VAULT_BAD_RESPONSE', message, fix });
}

/**
 * Returns the system error code of the innermost error that has a code, from its `code` or from the start of
 * its message.
 */
function systemCodeOf(problem: Problem): string | undefined {
  let code: string | undefined;
  let error: unknown = problem.extras.cause;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && error instanceof Error; depth += 1) {
    const text = 'code' in error ? String(error.code) : error.message;
    code = SYSTEM_CODE.exec(text)?.[0] ?? code;
    error = error.cause;
  }
  return code;
}

/** One request as `node-vault` passes it. */
export interface VaultCall {
  readonly method: string;
  /** Absolute URL. */
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body, sent as JSON; a value that is not an object is ignored. */
  readonly json?: unknown;
  /** Overrides the configured deadline, in milliseconds. */
  readonly deadlineMs?: number;
  /** Overrides the configured namespace; an empty text selects the root. */
  readonly namespace?: string;
  /** True for a request that is sent only once, whatever its result. */
  readonly once?: boolean;
}

/** A successful reply of Vault: the parsed JSON object of a 200, undefined for a 204. */
export interface VaultAnswer {
  readonly statusCode: number;
  readonly body: JsonObject | undefined;
}

export interface SendOptions {
  readonly http: HttpClient;
  /** Origins of Vault. Requests and redirects go to no other origin. */
  readonly origins: readonly string[];
  readonly namespace: string | null;
  /** Maximum wall time of one request, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const MAX_REPLY_BYTES = 1024 * 1024;
/** Maximum number of members and elements in a reply. */
const MAX_REPLY_VALUES = 20_000;
const MAX_RETRY_AFTER_MS = 30_000;
/** Part of a body other than JSON that is compared with phrases. */
const MAX_TEXT_BYTES = 200;

/**
 * Sends one request to Vault. It goes only to the configured origins, and follows one 307 redirect between them, never to
 * http. A request takes at most `deadlineMs`, and a reply has at most 1 MiB and 20,000 values. Returns a JSON object or throws a
 * {@link SecretError}.
 */
export async function sendRequest(call: VaultCall, options: SendOptions): Promise<VaultAnswer> {
  const { origins, namespace, clock } = options;
  const url = new URL(call.uri);
  if (!origins.includes(url.origin))
    throw badResponse(requestFacts(call.method, url), 'would leave the configured address');
  const request = requestFor(call, url, namespace);
  const started = performance.now();
  const deadlineMs = call.deadlineMs ?? options.deadlineMs;
  const first = await send(request, deadlineMs, options);
  if (first.status !== 307) return readAnswer(requestFacts(call.method, url), first, clock);
  const target = redirectTarget(first, url, origins);
  if (!target)
    throw badResponse(requestFacts(call.method, url), 'was answered with a redirect to another address');
  const remainingMs = Math.max(1, deadlineMs - (performance.now() - started));
  const second = await send({ ...request, url: target.href }, remainingMs, options);
  return readAnswer(requestFacts(call.method, target), second, clock);
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

async function send(request: HttpRequest, totalMs: number, options: SendOptions): Promise<HttpReply> {
  try {
    return await options.http.send(request, { totalMs, replyBytes: MAX_REPLY_BYTES }, options.signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw connectionError(requestFacts(request.method, new URL(request.url)), error);
  }
}

function readAnswer(request: VaultRequest, reply: HttpReply, clock: Clock): VaultAnswer {
  if (reply.status === 204) return { statusCode: 204, body: undefined };
  if (hasMoreValues(reply.body, MAX_REPLY_VALUES))
    throw badResponse(request, `was answered with more than ${MAX_REPLY_VALUES} values`);
  const body = jsonObject(reply.body);
  if (reply.status !== 200) {
    const retryAfter = retryAfterMs(reply, clock.now());
    throw replyError(request, {
      status: reply.status,
      body,
      ...(!body && { text: reply.body.toString('latin1', 0, MAX_TEXT_BYTES) }),
      ...(retryAfter !== undefined && { retryAfterMs: Math.min(retryAfter, MAX_RETRY_AFTER_MS) }),
    });
  }
  if (!body) throw badResponse(request, 'was answered with something that is not a JSON object');
  return { statusCode: 200, body };
}

/**
 * Returns the other node that a standby names: same path, https, and a configured origin. Returns undefined
 * for any other target.
 */
function redirectTarget(reply: HttpReply, from: URL, origins: readonly string[]): URL | undefined {
  const location = reply.headers['location'];
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  const same = target.pathname === from.pathname && target.search === from.search;
  const safe = target.protocol === 'https:' && target.username === '' && target.password === '';
  return same && safe && origins.includes(target.origin) ? target : undefined;
}

function jsonObject(bytes: Buffer): JsonObject | undefined {
  const parsed = parseJson(withoutByteOrderMark(bytes));
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function requestFacts(method: string, url: URL): VaultRequest {
  const isList = method === 'GET' && url.searchParams.get('list') === 'true';
  return { method: isList ? 'LIST' : method, host: url.host, path: url.pathname.replace(/^\/v1\//, '') };
}

function badResponse({ method, path, host }: VaultRequest, failure: string): SecretError {
  return new SecretError({
    code: 'VAULT_BAD_RESPONSE',
    message: `${method} "${path}" at ${host} ${failure}`,
    fix: 'Check that vault.address is Vault itself, not a page, a proxy or a redirect in front of it.',
  });
}

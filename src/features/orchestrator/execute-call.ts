import { requireBinding } from '../../adapters/call-binding.js';
import { checkAccess } from '../../core/access-decision.js';
import type { AdapterPolicy, CallOperation } from '../../core/access-policy.js';
import { type CallBinding, callPlugin, type PluginCall } from '../../core/adapter-method.js';
import {
  type Adapter,
  type OutboundRequest,
  type RestCall,
  UNKNOWN_NODES_HEADER,
  type UpstreamReply,
} from '../../core/adapter.js';
import { withErrorPlace } from '../../core/error-place.js';
import { isSafeMethod, type ReplyHeaders } from '../../core/http.js';
import type { Reply } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import { Problem, refusalOf } from '../../core/problem.js';
import type { CacheOutcome } from '../../core/read-cache.js';
import { REPLY_MEMORIES, type ReplyMemories, type ReplyMemory } from '../../core/reply-memory.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { CallSpan } from '../../core/trace.js';
import type { Upstream } from '../../core/upstream.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { MAX_REPETITIONS } from '../lib/adapter-problems.js';

/** Result of a call: the adapter that executed it, and the orchestrator's reply to each request in order. */
export interface CallResult {
  readonly adapter: Adapter;
  readonly plugin: string;
  readonly replies: readonly UpstreamReply[];
  readonly last: UpstreamReply;
  /** Origin of the reply; absent if the cache of the adapter does not cover the call. */
  readonly cache: CacheOutcome | undefined;
  /** Returns the headers of the reply at this position for the caller. */
  readonly callerHeaders: (at: number) => ReplyHeaders;
  /** Returns the path that a URI in the last reply leads to; undefined for one outside of the base URL. */
  readonly linkedPath: (link: string) => string | undefined;
}

/** A call to execute through an adapter. */
interface RequestedCall {
  readonly adapterId: string;
  /** Operation on whose behalf the call is executed; access rules may name it. */
  readonly operation: CallOperation;
  readonly call: RestCall;
  readonly principal?: Principal | undefined;
  /** What a person has approved; absent for a call without an approval. */
  readonly bound?: CallBinding | undefined;
  readonly signal: CancelSignal;
  readonly span?: CallSpan | undefined;
}

/** A call to execute, its principal and its cancel signal. */
export interface AdapterRequest extends RequestedCall {
  readonly memory: ReplyMemory;
}

/**
 * Executes a call and returns the reply of the operation. The memory of the replies is reserved until the response has been sent.
 * Throws what `executeCall` throws.
 */
export function replyOfCall(
  request: RequestedCall,
  deps: OrchestratorManagerDeps,
  use: (result: CallResult) => Reply | Promise<Reply>,
): Promise<Reply> {
  return withReplyMemory(request, deps, (asked) => executeCall(asked, deps, use));
}

/** Reserves memory for the replies of a call until its response has been sent. */
export function withReplyMemory(
  request: RequestedCall,
  { replyMemories = REPLY_MEMORIES }: OrchestratorManagerDeps,
  work: (asked: AdapterRequest) => Promise<Reply>,
): Promise<Reply> {
  const memory = replyMemories.open(request.adapterId);
  return work({ ...request, memory }).then(
    (reply) => ({ ...reply, onEnd: memory.release }),
    (error: unknown) => {
      memory.release();
      throw error;
    },
  );
}

/**
 * Executes a call on an adapter, and returns what `use` makes of the result. The adapter is leased until `use` has ended, so
 * that no reload stops its plugin before the plugin has read the reply. If the orchestrator refuses the credentials and newer
 * credentials are available, sends the call again with these, also if they are replaced meanwhile. A repetition is safe, because
 * a 401 means that the orchestrator did nothing. After a refusal without a 401, repeats only a call that was not sent, or that changes nothing.
 * Throws `adapter_not_found`, and `adapter_forbidden` if the access rules do not admit the call.
 */
export function executeCall<T>(
  request: AdapterRequest,
  { leaseAdapter, renew, replyMemories = REPLY_MEMORIES }: OrchestratorManagerDeps,
  use: (result: CallResult) => T | Promise<T>,
): Promise<T> {
  const { adapterId, signal, principal } = request;
  const terms = {
    signal,
    principal,
    check(policy: AdapterPolicy): void {
      requireAccess(request, policy);
    },
  };
  const attempt = (repetitions: number): Promise<T> =>
    leaseAdapter(adapterId, terms, async (instance, policy) => {
      const result = await sendRequests(instance, request, { policy, replyMemories });
      const isRenewed = repetitions < MAX_REPETITIONS && isUnauthorized(result) && (await renew(instance));
      return isRenewed && mayRepeat(result) ? attempt(repetitions + 1) : use(unwrapResult(result));
    });
  return attempt(0);
}

/** Problem of an orchestrator that refused the credentials, before the reply to the first request. */
interface Refusal {
  readonly refusal: Problem;
  /** False if the first request may have changed something. */
  readonly mayRepeat: boolean;
}

type SendResult = CallResult | Refusal;

/** Returns true if the orchestrator refused the credentials of the first request. */
function isUnauthorized(result: SendResult): boolean {
  return 'refusal' in result || (result.last.status === 401 && result.replies.length === 1);
}

/** Returns true if a call whose credentials were refused had no effect. A 401 proves that. */
function mayRepeat(result: SendResult): boolean {
  return !('refusal' in result) || result.mayRepeat;
}

function unwrapResult(result: SendResult): CallResult {
  if ('refusal' in result) throw result.refusal;
  return result;
}

/** Throws `adapter_forbidden` if the access rules do not admit the call. */
function requireAccess({ operation, call, principal }: AdapterRequest, policy: AdapterPolicy): void {
  checkAccess(policy, { operation, method: call.method, path: call.path }, principal);
}

/**
 * Sends the requests that the plugin translates the call into, until a reply has a status of 400 or above. Removes the
 * adapter's own credentials from the replies.
 */
async function sendRequests(
  instance: AdapterInstance,
  request: AdapterRequest,
  { policy, replyMemories }: { readonly policy: AdapterPolicy; readonly replyMemories: ReplyMemories },
): Promise<SendResult> {
  requireAccess(request, policy);
  if (request.bound) await requireBinding(request.bound, instance);
  let ready: Awaited<ReturnType<AdapterInstance['ready']>>;
  try {
    ready = await instance.ready();
  } catch (error) {
    return { refusal: refusalOf(error), mayRepeat: true };
  }
  const { adapter, upstream } = ready;
  const sent = translateCall(instance, adapter, request.call);
  let started: StartedCall;
  try {
    const cached = readCache(sent, request, { upstream, replyMemories });
    started = cached ? await cached : { reply: await sendOne(sent[0], request, upstream), cache: undefined };
  } catch (error) {
    const refusal = refusalOf(error);
    return { refusal, mayRepeat: refusal.extras.isUnsent === true || isSafeMethod(sent[0].method) };
  }
  let last = started.reply;
  const replies = [last];
  for (const next of sent.slice(1)) {
    if (last.status >= 400) break;
    last = await sendOne(next, request, upstream);
    replies.push(last);
  }
  const callerHeaders = (at: number): ReplyHeaders => {
    const { headers = {} } = replies[at] ?? {};
    const unknown = adapter.send && headers[UNKNOWN_NODES_HEADER];
    return {
      ...upstream.callerHeaders?.(headers, sent[at]?.path),
      ...(unknown !== undefined && { [UNKNOWN_NODES_HEADER]: unknown }),
    };
  };
  const linkedPath = (link: string) => upstream.linkedPath?.(link, sent[replies.length - 1]?.path ?? '');
  return { adapter, plugin: instance.type, replies, last, callerHeaders, linkedPath, cache: started.cache };
}

/** The reply to the first request of a call, and its origin if the cache covers the call. */
interface StartedCall {
  readonly reply: UpstreamReply;
  readonly cache: CacheOutcome | undefined;
}

/** Answers a query of one request from the cache of the adapter, or sends it; undefined if the cache does not cover it. */
function readCache(
  sent: readonly [OutboundRequest, ...OutboundRequest[]],
  request: AdapterRequest,
  { upstream, replyMemories }: { readonly upstream: Upstream; readonly replyMemories: ReplyMemories },
): Promise<StartedCall> | undefined {
  const { adapterId, call, principal, signal, span, memory } = request;
  if (call.kind !== 'query' || sent.length > 1) return undefined;
  const [first] = sent;
  const read = { request: first, path: call.path, roles: principal?.roles ?? [], signal };
  // Several callers may wait for one request, which continues when its first caller leaves.
  const started = upstream.cachedRead?.(read, (asked, ended) => {
    const shared = replyMemories.open(adapterId);
    return sendOne(asked, { signal: ended, span, memory: shared }, upstream).finally(shared.release);
  });
  return started?.then((answer) => {
    // The cache limits the memory of its own replies.
    if (!answer.cache.isHit) memory.open().resize(answer.reply.body.length);
    return answer;
  });
}

/** Sends one request, and removes the adapter's own credentials from its reply. */
function sendOne(
  request: OutboundRequest,
  { signal, span, memory }: Pick<AdapterRequest, 'signal' | 'span' | 'memory'>,
  upstream: Upstream,
): Promise<UpstreamReply> {
  const sent = upstream.send(request, signal, { span, memory });
  return upstream.redactReply ? sent.then(upstream.redactReply) : sent;
}

/** Returns the requests of a call. Throws `plugin_failed` if the plugin throws, or returns anything but requests. */
function translateCall(
  { id, type }: AdapterInstance,
  adapter: Adapter,
  call: RestCall,
): readonly [OutboundRequest, ...OutboundRequest[]] {
  const requests: unknown = runPlugin({ plugin: type, adapter: id, method: 'translate' }, () =>
    adapter.translate(call),
  );
  if (Array.isArray(requests) && requests.length > 0 && requests.every(isRequest))
    return requests as [OutboundRequest, ...OutboundRequest[]];
  if (requests instanceof Promise) requests.catch(() => undefined);
  const returned =
    Array.isArray(requests) && requests.length === 0
      ? 'no request'
      : 'something else than a list of requests';
  throw new Problem(
    'plugin_failed',
    `the function translate of the plugin of "${id}" returned ${returned}; it must return [{ method, path, headers }]`,
  );
}

/** Returns true for the members that every request needs, because a plugin may be written without types. */
function isRequest(request: unknown): boolean {
  const { method, path, headers } = toObject(request);
  return (
    typeof method === 'string' && typeof path === 'string' && typeof headers === 'object' && headers !== null
  );
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * Runs a function of a plugin. Throws `plugin_failed` with the place in the code of the plugin if the function throws an
 * error that is no Problem; its text is only for the log, because it can contain anything.
 */
export function runPlugin<T>(call: PluginCall & { readonly adapter: string }, work: () => T): T {
  try {
    return callPlugin(call, work);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const sentence = `the function ${call.method} of the plugin of "${call.adapter}" failed`;
    throw new Problem('plugin_failed', withErrorPlace(sentence, cause), { cause });
  }
}

export interface OrchestratorManagerDeps {
  readonly leaseAdapter: LeaseAdapter;
  /** Absent: the memory of this process. */
  readonly replyMemories?: ReplyMemories;
  /** Clock of lists with pages in milliseconds; absent: the monotonic clock. */
  readonly now?: () => number;
  /**
   * Renews an instance whose credentials the orchestrator refused. Resolves to true if another instance with
   * other credentials is active now.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}

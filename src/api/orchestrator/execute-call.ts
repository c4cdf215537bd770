import type { Adapter, RestCall, UpstreamReply } from '../../core/adapter.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import { checkAccess } from '../../core/access.js';
import type { Principal } from '../../core/principal.js';
import { callPlugin } from '../../core/plugin-call.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { CallSpan } from '../../core/trace.js';

/** Result of a call: the adapter that executed it, and the orchestrator's reply to each request in order. */
export interface CallResult {
  readonly adapter: Adapter;
  readonly replies: readonly UpstreamReply[];
  readonly last: UpstreamReply;
}

/** A call to execute, its principal and its cancel signal. */
export interface AdapterRequest {
  readonly call: RestCall;
  readonly principal?: Principal | undefined;
  readonly signal: CancelSignal;
  readonly span?: CallSpan | undefined;
}

/**
 * Executes a call on an adapter. If the orchestrator refuses the credentials and newer credentials are
 * available, sends the call once more. The repetition is safe, because a 401 means that the orchestrator did
 * nothing. Throws `adapter_not_found`, and `adapter_forbidden` if the adapter's access rules do not admit the
 * call.
 */
export async function executeCall(
  adapterId: string,
  request: AdapterRequest,
  { leaseAdapter, renew }: OrchestratorManagerDeps,
): Promise<CallResult> {
  const attempt = () =>
    leaseAdapter(adapterId, request.signal, async (instance) => ({
      instance,
      result: await sendRequests(instance, request),
    }));
  const { instance, result } = await attempt();
  const isRenewed = isUnauthorized(result) && (await renew(instance));
  return unwrapResult(isRenewed ? (await attempt()).result : result);
}

/** Result of the call, or the Problem of a login that the orchestrator refused before any request. */
type SendResult = CallResult | Problem;

/** Returns true if the orchestrator refused the credentials before it executed any request. */
function isUnauthorized(result: SendResult): boolean {
  if (result instanceof Problem) return true;
  return result.last.status === 401 && result.replies.length === 1;
}

function unwrapResult(result: SendResult): CallResult {
  if (result instanceof Problem) throw result;
  return result;
}

/**
 * Sends the requests that the plugin translates the call into, until a reply has a status of 400 or above. Removes the
 * adapter's own credentials from the replies.
 */
async function sendRequests(
  instance: AdapterInstance,
  { call, principal, signal, span }: AdapterRequest,
): Promise<SendResult> {
  const { adapter, upstream } = await instance.ready();
  checkAccess(upstream.access ?? [], call, principal);
  const { id, type } = instance;
  const [first, ...rest] = callPlugin({ plugin: type, adapter: id, method: 'translate' }, () =>
    adapter.translate(call),
  );
  const { redactReply = (reply: UpstreamReply) => reply } = upstream;
  const firstReply = await upstream.send(first, signal, span).catch(refusedLoginOf);
  if (firstReply instanceof Problem) return firstReply;
  let last = await redactReply(firstReply);
  const replies = [last];
  for (const request of rest) {
    if (last.status >= 400) break;
    last = await redactReply(await upstream.send(request, signal, span));
    replies.push(last);
  }
  return { adapter, replies, last };
}

/** Returns the Problem of a refused login; rethrows every other error. */
function refusedLoginOf(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'upstream_auth') return error;
  throw error;
}

/** Dependencies of the orchestrator manager. */
export interface OrchestratorManagerDeps {
  readonly leaseAdapter: LeaseAdapter;
  /**
   * Renews an instance whose credentials the orchestrator refused. Resolves to true if another instance with
   * other credentials is active now.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}

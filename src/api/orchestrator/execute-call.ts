import type { Adapter, RestCall, UpstreamReply } from '../../core/adapter.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import { checkAccess } from '../../core/check-access.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { CallSpan } from '../../core/trace.js';
import type { OrchestratorManagerDeps } from './deps.js';

/** Result of a call: the adapter that executed it and the orchestrator's reply to each request, in order. */
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
 * available, sends the call once more. That is safe, because a 401 means that the orchestrator did nothing.
 * Throws `adapter_not_found`, and `adapter_forbidden` if the adapter's access rules do not admit the call.
 */
export async function executeCall(
  adapterId: string,
  errand: AdapterRequest,
  { leaseAdapter, renew }: OrchestratorManagerDeps,
): Promise<CallResult> {
  const attempt = () =>
    leaseAdapter(adapterId, errand.signal, async (instance) => ({
      instance,
      outcome: await send(instance, errand),
    }));
  const { instance, outcome } = await attempt();
  const isRenewed = isUnauthorized(outcome) && (await renew(instance));
  return unwrapResult(isRenewed ? (await attempt()).outcome : outcome);
}

/** Result of the call, or the Problem of a refused login, before any request was sent. */
type Outcome = CallResult | Problem;

/** Returns true if the orchestrator refused the credentials before it executed any request. */
function isUnauthorized(outcome: Outcome): boolean {
  if (outcome instanceof Problem) return true;
  return outcome.last.status === 401 && outcome.replies.length === 1;
}

function unwrapResult(outcome: Outcome): CallResult {
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/** Sends the requests of the plugin's translation in order, until a reply has a status of 400 or above. */
async function send(
  instance: AdapterInstance,
  { call, principal, signal, span }: AdapterRequest,
): Promise<Outcome> {
  const { adapter, upstream } = await instance.ready();
  checkAccess(upstream.access ?? [], call, principal);
  const [first, ...others] = adapter.translate(call);
  const begun = await upstream.send(first, signal, span).catch(refusalOf);
  if (begun instanceof Problem) return begun;
  const replies = [begun];
  let last = begun;
  for (const request of others) {
    if (last.status >= 400) break;
    last = await upstream.send(request, signal, span);
    replies.push(last);
  }
  return { adapter, replies, last };
}

/** Returns the Problem of a refused login; rethrows every other error. */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'upstream_auth') return error;
  throw error;
}

import type { Adapter, RestCall, UpstreamReply } from '../../core/adapter.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import { checkAccess } from '../../core/check-access.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { CallSpan } from '../../core/trace.js';
import type { OrchestratorManagerDeps } from './deps.js';

/** A call carried out: the adapter that did it, and what the orchestrator answered to each request, in order. */
export interface CallResult {
  readonly adapter: Adapter;
  readonly replies: readonly UpstreamReply[];
  readonly last: UpstreamReply;
}

/** What is to be carried out, on whose behalf, and what ends it. */
export interface AdapterRequest {
  readonly call: RestCall;
  readonly principal?: Principal | undefined;
  readonly signal: CancelSignal;
  readonly span?: CallSpan | undefined;
}

/**
 * Carries a call out on an adapter. Where the orchestrator refuses the credentials, newer ones are looked for and the
 * call is sent once more: a 401 says that nothing was done. Throws `adapter_not_found`, and `adapter_forbidden` when the
 * adapter's access rules do not admit the call.
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

/** What was performed; or the Problem of a login that was refused, before anything was sent. */
type Outcome = CallResult | Problem;

/** True when the orchestrator took none of the requests because of the credentials. */
function isUnauthorized(outcome: Outcome): boolean {
  if (outcome instanceof Problem) return true;
  return outcome.last.status === 401 && outcome.replies.length === 1;
}

function unwrapResult(outcome: Outcome): CallResult {
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/** Sends every request of the plugin's translation, in order, up to the first reply of 400 or above. */
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

/** The Problem of a login that was refused; throws every other error again. */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'upstream_auth') return error;
  throw error;
}

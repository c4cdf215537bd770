import type { Adapter, RestCall, UpstreamReply } from '../../domain/adapter.js';
import { Problem } from '../../domain/problem.js';
import type { AdapterInstance, Snapshot } from '../../domain/snapshot.js';
import type { OrchestratorManagerDeps } from './deps.js';

/** A call carried out: the adapter that did it, and what the orchestrator answered to each request, in order. */
export interface Performed {
  readonly adapter: Adapter;
  readonly replies: readonly UpstreamReply[];
  readonly last: UpstreamReply;
}

/**
 * Carries a call out on an adapter. Where the orchestrator refuses the credentials, newer ones are looked for and the
 * call is sent once more: a 401 says that nothing was done. Throws `adapter_not_found`.
 */
export async function perform(
  adapterId: string,
  { call, signal }: { readonly call: RestCall; readonly signal: AbortSignal },
  { lease, renew }: OrchestratorManagerDeps,
): Promise<Performed> {
  const attempt = () =>
    lease(async (snapshot) => {
      const instance = adapterOf(snapshot, adapterId);
      return { instance, performed: await send(instance, call, signal) };
    });
  const { instance, performed } = await attempt();
  return wasRefused(performed) && (await renew(instance)) ? (await attempt()).performed : performed;
}

/** True when the orchestrator took none of the requests because of the credentials. */
function wasRefused({ replies, last }: Performed): boolean {
  return last.status === 401 && replies.length === 1;
}

function adapterOf(snapshot: Snapshot, adapterId: string): AdapterInstance {
  const instance = snapshot.adapters.get(adapterId);
  if (!instance) throw new Problem('adapter_not_found', `there is no adapter "${adapterId}"`);
  return instance;
}

/** Sends every request of the plugin's translation, in order, up to the first reply of 400 or above. */
async function send(instance: AdapterInstance, call: RestCall, signal: AbortSignal): Promise<Performed> {
  const { adapter, upstream } = await instance.ready();
  const [first, ...others] = adapter.translate(call);
  let last = await upstream.send(first, signal);
  const replies = [last];
  for (const request of others) {
    if (last.status >= 400) break;
    last = await upstream.send(request, signal);
    replies.push(last);
  }
  return { adapter, replies, last };
}

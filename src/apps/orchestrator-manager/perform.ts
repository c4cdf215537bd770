import type { Adapter, RestCall, UpstreamReply } from '../../domain/adapter.js';
import { Problem } from '../../domain/problem.js';
import type { AdapterInstance, Snapshot } from '../../domain/snapshot.js';

/** A call carried out: the adapter that did it, and what the orchestrator answered to each request, in order. */
export interface Performed {
  readonly adapter: Adapter;
  readonly replies: readonly UpstreamReply[];
  readonly last: UpstreamReply;
}

/** The adapter of a name; throws `adapter_not_found`. */
export function adapterOf(snapshot: Snapshot, adapterId: string | undefined): AdapterInstance {
  const instance = snapshot.adapters.get(adapterId ?? '');
  if (!instance) throw new Problem('adapter_not_found', `there is no adapter "${adapterId ?? ''}"`);
  return instance;
}

/** Sends every request of the plugin's translation, in order, up to the first reply of 400 or above. */
export async function perform(
  instance: AdapterInstance,
  call: RestCall,
  signal: AbortSignal,
): Promise<Performed> {
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

import { checkAccess } from '../../core/check-access.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { StreamCall, StreamOperation, StreamReply } from '../../core/stream.js';

/** Forwards unchanged requests with any method to an orchestrator, and unchanged replies back. */
export const passThrough: StreamOperation<ProxyDeps> = {
  application: 'proxy',
  applicationSummary: 'Orchestrators as they are: any method, bodies of any size, events and WebSockets.',
  id: 'passThrough',
  summary: 'Forward a request to an orchestrator through an adapter, and its reply back, as streams.',
  prefix: '/proxy',
  roles: ['admin'],
  async open(call, deps) {
    const { instance, reply } = await attempt(call, deps);
    if (!isRefusal(reply)) return reply;
    reply.body.destroy();
    // The orchestrator only checked the credentials, so a request without a body can be sent again.
    const isReplaced = reply.status === 401 && (await deps.renew(instance));
    if (!isReplaced || call.request.body) throw refused(reply);
    const second = await attempt(call, deps);
    if (!isRefusal(second.reply)) return second.reply;
    second.reply.body.destroy();
    throw refused(second.reply);
  },
};

interface Attempt {
  readonly instance: AdapterInstance;
  readonly reply: StreamReply;
}

/** Leases the adapter until the head of the reply, so that a long stream does not keep a generation alive. */
function attempt(
  { adapterId, request, principal, signal }: StreamCall,
  { leaseAdapter }: ProxyDeps,
): Promise<Attempt> {
  return leaseAdapter(adapterId, signal, async (instance) => {
    const { upstream } = await instance.ready();
    checkAccess(upstream.access ?? [], request, principal);
    if (!upstream.pass)
      throw new Problem('stub_missing', 'the adapter is a stub, which has no replies for the pass-through');
    return { instance, reply: await upstream.pass(request, signal) };
  });
}

/** Returns true for 401 and 407: they concern the adapter's credentials, not the token of the caller. */
function isRefusal({ status }: StreamReply): boolean {
  return status === 401 || status === 407;
}

function refused({ status }: StreamReply): Problem {
  return new Problem(
    'upstream_auth',
    `the orchestrator answered ${status}, so it did not carry the request out`,
    {
      upstream: { status, body: null },
    },
  );
}

/** Dependencies of the pass-through: the adapters of the active snapshot. */
interface ProxyDeps {
  readonly leaseAdapter: LeaseAdapter;
  /**
   * Renews an instance whose credentials the orchestrator refused. Resolves to true if another instance with
   * other credentials is active now.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}

import { checkAccess } from '../../core/check-access.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { StreamCall, StreamOperation, StreamReply } from '../../core/stream.js';

/** Passes requests and replies on as they are, any method, to an orchestrator and back. */
export const passThrough: StreamOperation<ProxyDeps> = {
  application: 'proxy',
  applicationSummary: 'Orchestrators as they are: any method, bodies of any size, events and WebSockets.',
  id: 'passThrough',
  summary: 'Pass a request on to an orchestrator through an adapter, and its reply back, as streams.',
  prefix: '/proxy',
  roles: ['admin'],
  async open(call, deps) {
    const { instance, reply } = await attempt(call, deps);
    if (!isRefusal(reply)) return reply;
    reply.body.destroy();
    // The orchestrator looked at the credentials and at nothing else: what has no body can be sent again.
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

/** The lease ends with the head of the reply: what goes on for hours must not keep a whole generation alive. */
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

/** 401 and 407 concern the adapter's own credentials; a caller would take them for a refusal of his token. */
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

/** What the pass-through may touch: the adapters of the live snapshot. */
export interface ProxyDeps {
  readonly leaseAdapter: LeaseAdapter;
  /** After an orchestrator refused this instance's credentials: true when another one, with others, is live now. */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}

import { checkAccess } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { DescribedOperation, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { StreamCall, StreamReply, StreamTarget, BoundStream } from '../../core/stream.js';
import { ADAPTER_CALL_PROBLEMS, MAX_REPETITIONS } from '../lib/adapter-problems.js';

export const passThrough: StreamOperation<ProxyDeps> = {
  application: 'proxy',
  applicationSummary:
    'Direct access to orchestrators: seven methods, bodies of any size, events and WebSockets.',
  id: 'passThrough',
  summary: 'Forward a request to an orchestrator through an adapter, and its reply back, as streams.',
  description:
    'Forwards a request with DELETE, GET, HEAD, OPTIONS, PATCH, POST or PUT to the orchestrator of an adapter, which adds the credentials. The bodies are streams in both directions and are not changed.',
  problems: [...ADAPTER_CALL_PROBLEMS],
  prefix: '/proxy',
  roles: ['admin'],
  requireAccess(target, { policyOf }) {
    const policy = policyOf(target.adapterId);
    // The streams of an adapter that was removed end with the adapter.
    if (policy) requireAdmitted(policy, target);
  },
  async open(call, deps) {
    for (let repetitions = 0; ; repetitions += 1) {
      const { instance, reply } = await attempt(call, deps);
      if (!isCredentialRefusal(reply)) return reply;
      reply.body.destroy();
      // The orchestrator did not execute the request. A body is a stream and cannot be sent again.
      const mayRenew = reply.status === 401 && repetitions < MAX_REPETITIONS;
      const isRenewed = mayRenew && (await deps.renew(instance));
      if (!isRenewed || call.request.body) throw credentialProblem(reply);
    }
  },
};

interface Attempt {
  readonly instance: AdapterInstance;
  readonly reply: StreamReply;
}

/**
 * Sends the request. Leases the adapter only until the head of the reply, so that a long stream does not keep
 * an old generation alive.
 */
function attempt(call: StreamCall, { leaseAdapter }: ProxyDeps): Promise<Attempt> {
  const { adapterId, request, principal, signal } = call;
  const check = (policy: AdapterPolicy): void => {
    requireAdmitted(policy, call);
  };
  return leaseAdapter(adapterId, { signal, principal, check }, async (instance, policy) => {
    check(policy);
    const { adapter, upstream } = await instance.ready();
    if (!upstream.pass) throw adapter.send ? ownTransportProblem(instance) : stubProblem();
    return { instance, reply: await upstream.pass(request, signal) };
  });
}

/** Throws `adapter_forbidden` if the access rules do not admit the request. */
function requireAdmitted(policy: AdapterPolicy, { request, principal }: StreamTarget): void {
  const { method, path } = request;
  checkAccess(policy, { operation: 'proxy.passThrough', method, path }, principal);
}

/** Creates the Problem of an adapter whose plugin sends complete requests itself. */
function ownTransportProblem({ id, type }: AdapterInstance): Problem {
  return new Problem(
    'proxy_not_supported',
    `the adapter "${id}" cannot pass requests through, because its plugin ${type} sends them itself`,
  );
}

function stubProblem(): Problem {
  return new Problem(
    'stub_missing',
    'the adapter is a stub, which has no recorded replies for the pass-through',
  );
}

/** Returns true for 401 and 407: they concern the adapter's credentials, not the token of the caller. */
function isCredentialRefusal({ status }: StreamReply): boolean {
  return status === 401 || status === 407;
}

function credentialProblem({ status }: StreamReply): Problem {
  return new Problem('upstream_auth', `the orchestrator answered ${status} and did not execute the request`, {
    upstream: { status, body: null },
  });
}

/** Dependencies of the pass-through. */
interface ProxyDeps {
  readonly leaseAdapter: LeaseAdapter;
  /** Returns the current access rules of an adapter; undefined if there is no such adapter. */
  readonly policyOf: (adapterId: string) => AdapterPolicy | undefined;
  /**
   * Renews an instance whose credentials the orchestrator refused. Resolves to true if another instance with
   * other credentials is active now.
   */
  readonly renew: (credentialProblem: AdapterInstance) => Promise<boolean>;
}

/**
 * A row of the API at `<prefix>/:adapterId/*` that forwards bytes in both directions.
 */
interface StreamOperation<Deps> extends Pick<
  Operation<Deps>,
  'id' | 'summary' | 'description' | 'roles' | 'problems'
> {
  /** Name of the application in the configuration and in audit records. */
  readonly application: string;
  /** One-sentence description of the application, for the API description. */
  readonly applicationSummary: string;
  readonly prefix: string;
  /** Throws the Problem of a caller whom the access rules of the current configuration refuse. */
  requireAccess(call: StreamTarget, deps: Deps): void;
  /**
   * Opens the stream. Resolves when the status and headers of the reply have arrived. Throws a Problem if no
   * reply arrives.
   */
  open(call: StreamCall, deps: Deps): Promise<StreamReply>;
}

export function describeStream<Deps>(operation: StreamOperation<Deps>): DescribedOperation {
  const { application, applicationSummary, id, summary, description, prefix, roles, problems } = operation;
  const path = '/:adapterId/*';
  return {
    name: `${application}.${id}`,
    paths: [prefix + path],
    row: {
      id,
      summary,
      roles,
      path,
      method: 'ANY',
      reply: {},
      audited: true,
      ...(description !== undefined && { description }),
      ...(problems && { problems }),
    },
    applicationSummary,
  };
}

export function bindStream<Deps>(operation: StreamOperation<Deps>, deps: Deps): BoundStream {
  return {
    ...describeStream(operation),
    prefix: operation.prefix,
    requireAccess: (call) => {
      operation.requireAccess(call, deps);
    },
    open: (call) => operation.open(call, deps),
  };
}

import { requireBinding } from '../../adapters/call-binding.js';
import { checkAccess } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import {
  type AdapterMethod,
  CALL_METHOD,
  type CalledMethod,
  calledMethod,
  callPath,
  METHOD_EFFECTS,
} from '../../core/adapter-method.js';
import type { UpstreamReply } from '../../core/adapter.js';
import { upstreamErrorOf } from '../../core/decode-reply.js';
import type { Call, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem, refusalOf } from '../../core/problem.js';
import { afterSending, REPLY_MEMORIES, type ReplyMemory } from '../../core/reply-memory.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Upstream } from '../../core/upstream.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import { didYouMean } from '../../lib/closest-name.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import { ADAPTER_CALL_PROBLEMS } from '../lib/adapter-problems.js';
import { upstreamProblem } from '../lib/upstream-problem.js';
import type { AdaptersDeps } from './deps.js';
import { methodArguments } from './method-arguments.js';
import { methodsOf } from './method-list.js';
import { requireVisibleAdapter } from './visible-adapters.js';

const methodSchema = {
  title: 'Method of an adapter',
  type: 'object',
  required: ['name', 'summary', 'input'],
  properties: {
    name: { type: 'string', description: 'Name for callAdapterMethod', examples: ['getDevice'] },
    summary: { type: 'string' },
    description: { type: 'string' },
    input: {
      type: 'object',
      description: 'JSON Schema of the arguments, with one property for each parameter, in their order',
    },
    output: { type: 'object', description: 'JSON Schema of the result' },
    effect: {
      enum: METHOD_EFFECTS,
      description: 'What a call does at the orchestrator; absent: change',
    },
    tags: { type: 'array', items: { type: 'string' }, description: 'Groups to which the method belongs' },
  },
} as const;

export const getAdapterMethods: Operation<AdaptersDeps> = {
  id: 'getAdapterMethods',
  summary: 'List the methods of an adapter that can be called by name.',
  description:
    'Returns the methods that the plugin offers, or those that an adapter has from an OpenAPI document, each with the JSON Schema of its arguments. The filters also read `summary`, `effect` and `tags`. The list of an adapter without methods is empty.',
  problems: ['adapter_not_found', 'adapter_unavailable', 'plugin_failed', 'upstream_timeout'],
  method: 'GET',
  path: '/:name/methods',
  roles: READERS,
  ...listRow,
  reply: listSchema('Methods of an adapter', methodSchema),
  async handle({ params, query, signal, principal }, deps) {
    const { instance } = requireVisibleAdapter(params['name'], principal, deps);
    const methods = await methodsOf(instance, signal);
    return { body: queryList(methods, query, { nameOf: ({ name }) => name }) };
  },
};

type MethodBody = Readonly<Record<string, unknown>> | undefined;

/**
 * Calls a method of an adapter by its name, and returns its result. Never sends a call twice: after a refusal of the adapter's
 * credentials, the adapter may have sent other requests before.
 */
export const callAdapterMethod: Operation<AdaptersDeps, MethodBody> = {
  id: 'callAdapterMethod',
  summary: 'Run a method of an adapter by its name, as GET /adapters/:name/methods lists it.',
  description:
    'Validates the arguments with the schema of the method, runs the method, and returns its result. The call is sent once, and the method may change the orchestrator.',
  problems: [...ADAPTER_CALL_PROBLEMS, 'adapter_method_not_found'],
  method: 'POST',
  // The parameter has the name of restAction and restQuery, so that metrics and log lines name the adapter.
  path: '/:adapterId/call/:method',
  roles: ['admin'],
  body: {
    title: 'Arguments of a method',
    type: 'object',
    description:
      'One member for each argument, by the name of its parameter; or only "args", a list with the arguments in their order',
    examples: [{ name: 'r1' }, { args: ['r1'] }],
  },
  bodyOptional: true,
  reply: {
    title: 'Result of a method',
    description: 'The result of the method as JSON, without the request of the adapter and cookies',
    examples: [{ icode: 'AD.200', response: { name: 'r1' } }],
  },
  audited: true,
  sheddable: true,
  async handle(call, deps) {
    const { adapterId = '' } = call.params;
    const { signal, principal } = call;
    const check = (policy: AdapterPolicy): void => {
      requireAccess(policy, call);
    };
    const onMethod = (policy: AdapterPolicy) => (method: AdapterMethod) => {
      requireAccess(policy, call, calledMethod(method));
    };
    const memory = (deps.replyMemories ?? REPLY_MEMORIES).open(adapterId);
    try {
      const result = await deps.leaseAdapter(
        adapterId,
        { signal, principal, check },
        async (instance, policy) => {
          check(policy);
          const request = { call, memory, check: onMethod(policy) };
          return { instance, reply: await callOn(instance, request).catch(refusalOf) };
        },
      );
      const { instance, reply } = result;
      if (reply instanceof Problem) {
        await deps.renew(instance);
        throw reply;
      }
      return { body: { rawJson: reply.body }, outcome: String(reply.status), onEnd: memory.release };
    } catch (error) {
      memory.release();
      throw error instanceof Problem ? afterSending(error, CALL_METHOD) : error;
    }
  },
};

/** Throws `adapter_forbidden` if the access rules do not admit the call. */
function requireAccess(policy: AdapterPolicy, { params, principal }: Call, called?: CalledMethod): void {
  const path = callPath(params['method'] ?? '');
  checkAccess(policy, { operation: CALL_BY_NAME, method: CALL_METHOD, path, called }, principal);
}

interface MethodRequest {
  readonly call: Call<MethodBody>;
  readonly memory: ReplyMemory;
  /** Throws if the access rules do not admit the method. */
  readonly check: (method: AdapterMethod) => void;
}

async function callOn(
  instance: AdapterInstance,
  { call: { params, body = {}, signal, span, bound }, memory, check }: MethodRequest,
): Promise<UpstreamReply> {
  const { method: name = '' } = params;
  const { adapter, upstream } = await instance.ready();
  if (!upstream.callMethod) throw noMethods(instance);
  const method = requireMethod(instance, await methodsOf(instance, signal), name);
  check(method);
  if (bound) await requireBinding(bound, instance, method);
  const { redactReply } = upstream;
  const args = methodArguments(method, body);
  const terms = { span, memory };
  const reply = await upstream
    .callMethod({ method: name, args }, signal, terms)
    .catch(async (error: unknown) => {
      throw redactReply ? await redactedError(error, redactReply) : error;
    });
  const redacted = redactReply ? await redactReply(reply) : reply;
  if (redacted.status >= 300) throw upstreamProblem(adapter, redacted);
  return redacted;
}

function requireMethod(
  { id }: AdapterInstance,
  methods: readonly AdapterMethod[],
  name: string,
): AdapterMethod {
  const method = methods.find((candidate) => candidate.name === name);
  if (method) return method;
  const suggestion = didYouMean(
    name,
    methods.map((candidate) => candidate.name),
  );
  const detail = `the adapter "${id}" has no method "${name}" that can be called by name${suggestion}`;
  throw new Problem('adapter_method_not_found', detail);
}

/** Creates the Problem for an adapter whose plugin has no methods. */
function noMethods({ id, type }: AdapterInstance): Problem {
  const detail = `the adapter "${id}" has no methods that can be called by name, because its plugin "${type}" offers none`;
  const advice = 'Send the request to the orchestrator with restQuery or restAction, or through /proxy.';
  return new Problem('adapter_method_not_found', detail, { advice });
}

type RedactReply = NonNullable<Upstream['redactReply']>;

/**
 * Returns an error without the adapter's own credentials in its detail and in the reply of the orchestrator that it contains.
 * Returns an error that is no Problem unchanged, because callers never see it.
 */
async function redactedError(error: unknown, redactReply: RedactReply): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const { upstream, ...extras } = error.extras;
  const detail = (await redactReply(replyWith(error.message, 'text/plain'))).body.toString();
  return new Problem(error.code, detail, {
    ...extras,
    status: error.status,
    ...(upstream && { upstream: { ...upstream, body: await redactedBody(upstream.body, redactReply) } }),
  });
}

async function redactedBody(body: unknown, redactReply: RedactReply): Promise<unknown> {
  if (body === undefined) return body;
  if (typeof body === 'string') return (await redactReply(replyWith(body, 'text/plain'))).body.toString();
  return upstreamErrorOf(await redactReply(replyWith(JSON.stringify(body), 'application/json')));
}

function replyWith(text: string, contentType: string): UpstreamReply {
  return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}

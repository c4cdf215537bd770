import type { Adapter, RestCall, UpstreamReply, UpstreamErrorInfo } from '../../core/adapter.js';
import type { Operation } from '../../core/operation.js';
import { jsonOrText, upstreamErrorOf } from '../../core/decode-reply.js';
import type { OrchestratorManagerDeps } from './deps.js';
import { queryParamsSchema } from './params-schema.js';
import { executeCall } from './execute-call.js';
import { withoutQuery } from './without-query.js';
import { Problem } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';

/** Request body of a REST query (specification section 2.5). */
interface RestQueryBody {
  readonly params: { readonly path: string; readonly accept: string };
}

const requestSchema = {
  title: 'REST query request',
  type: 'object',
  required: ['params'],
  additionalProperties: false,
  properties: { params: queryParamsSchema },
} as const;

const replySchema = {
  title: 'REST query result',
  description: 'The JSON of the orchestrator as it is; another media type as {"result": ["<text>"]}',
} as const;

/** Reads from an orchestrator and returns its reply (specification 4.3, wire decision 2). */
export const restQuery: Operation<OrchestratorManagerDeps, RestQueryBody> = {
  id: 'restQuery',
  summary: 'Send a REST query to an orchestrator through an adapter.',
  method: 'POST',
  path: '/restQuery/:adapterId',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  hot: true,
  target: ({ body: { params } }) => `GET ${withoutQuery(params.path)}`,
  async handle({ params, body, principal, signal, span }, deps) {
    const call: RestCall = { kind: 'query', method: 'GET', ...body.params };
    const { adapter, last } = await executeCall(
      params['adapterId'] ?? '',
      { call, principal, signal, span },
      deps,
    );
    if (last.status >= 300) throw refusalOf(adapter, last);
    return { body: shape(adapter, call, last), outcome: String(last.status) };
  },
};

function shape(adapter: Adapter, call: RestCall, reply: UpstreamReply): unknown {
  if (adapter.shape) return settled(adapter.shape(call, reply));
  const value = jsonOrText(reply);
  if (typeof value !== 'string') return value;
  return { result: value === '' ? [] : [value] };
}

/** Throws if a plugin's `shape` returns a promise: the reply would be `{}`. */
function settled(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new TypeError('the plugin shaped the reply into a promise');
}

/** Creates the Problem for a query that the orchestrator did not answer with data (wire decision 2). */
export function refusalOf(adapter: Adapter, reply: UpstreamReply): Problem {
  const complaint = explain(adapter, reply);
  const { code, status } = outcomeOf(reply.status);
  return new Problem(code, complaint?.detail ?? `the orchestrator answered ${reply.status}`, {
    status,
    ...(complaint?.errors && { errors: complaint.errors }),
    upstream: { status: reply.status, body: upstreamErrorOf(reply) },
  });
}

/** Returns the plugin's explanation of an error reply. A plugin that throws must not hide that reply. */
function explain(adapter: Adapter, reply: UpstreamReply): UpstreamErrorInfo | undefined {
  try {
    return adapter.explain?.(reply);
  } catch {
    return undefined;
  }
}

/** Maps 401, 403 and 407 to 502: they concern the adapter's credentials, not those of the caller. */
function outcomeOf(status: number): { readonly code: ProblemCode; readonly status: number } {
  if (status === 401 || status === 403 || status === 407) return { code: 'upstream_auth', status: 502 };
  if (status >= 400 && status < 500) return { code: 'upstream_rejected', status };
  return { code: 'upstream_failed', status: 502 };
}

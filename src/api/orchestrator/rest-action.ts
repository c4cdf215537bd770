import type { RestCall } from '../../core/adapter.js';
import type { Operation } from '../../core/operation.js';
import type { OrchestratorManagerDeps } from './deps.js';
import { actionParamsSchema } from './params-schema.js';
import { executeCall } from './execute-call.js';
import { withoutQuery } from './without-query.js';

/** Request body of a REST action (specification section 2.3); `params.method` as in wire decision 3. */
interface RestActionBody {
  readonly params: {
    readonly path: string;
    readonly accept: string;
    readonly contentType?: string;
    readonly method?: string;
  };
  readonly body: Readonly<Record<string, unknown>>;
}

const requestSchema = {
  title: 'REST action request',
  type: 'object',
  required: ['params', 'body'],
  additionalProperties: false,
  properties: {
    params: actionParamsSchema,
    body: { type: 'object', description: 'Body to send; {} sends none' },
  },
} as const;

const replySchema = {
  title: 'REST action result',
  type: 'array',
  description: 'One element for each call that the adapter made, in order',
  items: {
    type: 'object',
    required: ['result'],
    properties: { result: { type: 'string', description: "The orchestrator's HTTP status" } },
  },
} as const;

/** Changes state on an orchestrator; any status is a valid result (specification 4.2, wire decision 3). */
export const restAction: Operation<OrchestratorManagerDeps, RestActionBody> = {
  id: 'restAction',
  summary: 'Send a REST action to an orchestrator through an adapter.',
  method: 'POST',
  path: '/restAction/:adapterId',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  hot: true,
  target: ({ body: { params } }) => `${(params.method ?? 'POST').toUpperCase()} ${withoutQuery(params.path)}`,
  async handle({ params, body, principal, signal, span }, deps) {
    const errand = { call: actionCall(body), principal, signal, span };
    const { replies } = await executeCall(params['adapterId'] ?? '', errand, deps);
    const statuses = replies.map((reply) => String(reply.status));
    return { body: statuses.map((result) => ({ result })), outcome: statuses.join(' ') };
  },
};

function actionCall({ params, body }: RestActionBody): RestCall {
  const { path, accept, contentType, method = 'POST' } = params;
  return {
    kind: 'action',
    // The schema admits nothing else.
    method: method.toUpperCase() as RestCall['method'],
    path,
    accept,
    ...(contentType !== undefined && { contentType }),
    // Clients of the platform must always send a body; {} means that the request has no body (wire 3.1).
    ...(Object.keys(body).length > 0 && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

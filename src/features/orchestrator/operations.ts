import type { RestCall } from '../../core/adapter.js';
import { ACCEPT_PATTERN, MEDIA_TYPE_LENGTH, MEDIA_TYPE_PATTERN } from '../../core/header.js';
import type { Application, Operation, Reply } from '../../core/operation.js';
import { anyCase, type JsonSchema } from '../../core/schema.js';
import { choiceParameterOf } from '../../http/query-parameters.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { ADAPTER_CALL_PROBLEMS } from '../lib/adapter-problems.js';
import { explainReply, reasonOf } from '../lib/explain-reply.js';
import { actionBody, actionReplies } from './action-bodies.js';
import {
  type OrchestratorManagerDeps,
  type CallResult,
  replyOfCall,
  withReplyMemory,
} from './execute-call.js';
import { queryReply } from './query-reply.js';
import { replyOfPages } from './read-pages.js';

/** Request parameters that actions and queries share. */
const sharedParams = {
  path: {
    type: 'string',
    'x-documented': { pattern: '^/' },
    description: "Path on the orchestrator's REST interface",
    examples: ['/restconf/data/ietf-interfaces:interfaces'],
  },
  accept: {
    type: 'string',
    maxLength: MEDIA_TYPE_LENGTH,
    pattern: ACCEPT_PATTERN,
    'x-hint': 'must be media types, for example application/yang-data+json',
    description: 'Media type expected in the reply',
  },
} as const;

/** Request parameters that only actions have. */
const actionParams = {
  contentType: {
    type: 'string',
    maxLength: MEDIA_TYPE_LENGTH,
    pattern: MEDIA_TYPE_PATTERN,
    'x-hint': 'must be one media type, for example application/yang-data+json',
    description: 'Media type of the body; application/x-www-form-urlencoded sends the members as a form',
  },
  method: {
    type: 'string',
    pattern: `^(${['GET', 'PATCH', 'PUT', 'POST', 'DELETE'].map(anyCase).join('|')})$`,
    'x-hint': 'must be one of GET, PATCH, PUT, POST, DELETE',
    description: 'HTTP method in any case; default POST',
  },
  responseBody: {
    type: 'boolean',
    description:
      'Whether each element of the result also has the headers and the body of the reply; default false',
  },
} as const;

/** Schema of the parameters of a query (specification section 2.5). */
const queryParamsSchema = paramsWith(sharedParams);

/** Schema of the parameters of an action (specification section 2.3). */
const actionParamsSchema = paramsWith({ ...sharedParams, ...actionParams });

function paramsWith<const P extends Readonly<Record<string, JsonSchema>>>(properties: P) {
  return { type: 'object', required: ['path', 'accept'], additionalProperties: false, properties } as const;
}

const actionRequestSchema = {
  title: 'REST action request',
  type: 'object',
  required: ['params', 'body'],
  additionalProperties: false,
  properties: {
    params: actionParamsSchema,
    body: {
      type: 'object',
      additionalProperties: true,
      'x-type-hint': 'send a list, such as a bulk request, with /proxy/ADAPTER/PATH',
      description: 'Body to send, as JSON unless contentType is a form; {} sends none. /proxy takes a list.',
    },
  },
} as const;

/** Request body of a REST action (specification section 2.3); `params.method` as in wire decision 3. */
type RestActionBody = FromSchema<typeof actionRequestSchema>;

const actionReplySchema = {
  title: 'REST action result',
  type: 'array',
  description: 'One element for each request that the adapter sent, in order',
  items: {
    type: 'object',
    required: ['result'],
    properties: {
      result: { type: 'string', description: "The orchestrator's HTTP status", examples: ['201'] },
      headers: {
        type: 'object',
        description:
          'Headers of the reply, lower-case names, without cookies; only with responseBody. A Location below the base URL is a path that params.path accepts.',
        additionalProperties: {
          oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
        },
      },
      body: {
        description: 'The JSON of the reply, unchanged, or its text; only with responseBody',
      },
      bodyBase64: {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The body of a reply that is not text, in place of body',
      },
    },
  },
} as const;

const REST_ACTION = 'orchestrator-manager.restAction' as const;

/** Changes state on an orchestrator; any status is a valid result (specification 4.2, wire decision 3). */
export const restAction: Operation<OrchestratorManagerDeps, RestActionBody> = {
  id: 'restAction',
  summary: 'Send a REST action to an orchestrator through an adapter.',
  description:
    'Sends a request that changes an orchestrator through an adapter, which adds the credentials. Any status of the orchestrator is a result. The server sends a request again only if the orchestrator refused the credentials.',
  problems: [...ADAPTER_CALL_PROBLEMS],
  method: 'POST',
  path: '/restAction/:adapterId',
  roles: ['admin'],
  body: actionRequestSchema,
  keepsText: 'body',
  reply: actionReplySchema,
  audited: true,
  hot: true,
  tool: {
    changes: true,
    callsOrchestrators: true,
    narrow: 'Leave out params.responseBody.',
    addressedCall({ params: { adapterId = '' }, body }) {
      const { params } = body as RestActionBody;
      return { adapterId, operation: REST_ACTION, method: actionMethod(params), path: params.path };
    },
  },
  target: ({ body: { params } }) => `${actionMethod(params)} ${withoutQuery(params.path)}`,
  handle({ params, body, bodyText, principal, signal, span, bound }, deps) {
    const adapterId = params['adapterId'] ?? '';
    const call = actionCall(body, bodyText);
    const request = { operation: REST_ACTION, adapterId, call, principal, signal, span, bound };
    return replyOfCall(request, deps, (result) => actionReply(result, body, signal));
  },
};

/** Returns the reply to the caller of an action. Only the plugin of the adapter explains a failure. */
function actionReply(
  { adapter, replies, last, callerHeaders }: CallResult,
  { params }: RestActionBody,
  signal: CancelSignal,
): Reply | Promise<Reply> {
  const statuses = replies.map((reply) => String(reply.status));
  const explanation = last.status >= 400 ? explainReply(adapter, last) : undefined;
  const record = {
    outcome: statuses.join(' '),
    ...(explanation && { reason: reasonOf(explanation) }),
  };
  if (!params.responseBody) return { body: statuses.map((result) => ({ result })), ...record };
  const answers = replies.map((reply, at) => ({ reply, headers: callerHeaders(at) }));
  const list = actionReplies(answers, signal).catch((error: unknown) => {
    // The caller has left. The audit record still says what the action did.
    if (signal.aborted) return statuses.map((result) => ({ result }));
    throw error;
  });
  return list.then((body) => ({ body, ...record }));
}

function actionMethod({ method = 'POST' }: RestActionBody['params']): RestCall['method'] {
  // The schema admits only the methods of a RestCall.
  return method.toUpperCase() as RestCall['method'];
}

function actionCall({ params, body: members }: RestActionBody, bodyText: string | undefined): RestCall {
  const { path, accept, contentType } = params;
  const body = actionBody(members, contentType, bodyText);
  const call: { -readonly [Name in keyof RestCall]: RestCall[Name] } = {
    kind: 'action',
    method: actionMethod(params),
    path,
    accept,
  };
  if (contentType !== undefined) call.contentType = contentType;
  if (body) call.body = body;
  return call;
}

const queryRequestSchema = {
  title: 'REST query request',
  type: 'object',
  required: ['params'],
  additionalProperties: false,
  properties: { params: queryParamsSchema },
} as const;

const queryReplySchema = {
  title: 'REST query result',
  description:
    'The JSON of the orchestrator, unchanged; a reply with another media type as {"result": ["<text>"]}',
} as const;

/** Reads from an orchestrator and returns its reply (specification 4.3, wire decision 2). */
export const restQuery: Operation<OrchestratorManagerDeps, FromSchema<typeof queryRequestSchema>> = {
  id: 'restQuery',
  summary: 'Send a REST query to an orchestrator through an adapter.',
  description:
    'Reads a resource of an orchestrator through an adapter, which adds the credentials. An error of the orchestrator is a problem: a status from 400 to 499 is kept, except for 401, 403 and 407, and all others become 502.',
  problems: [...ADAPTER_CALL_PROBLEMS],
  method: 'POST',
  path: '/restQuery/:adapterId',
  roles: ['admin'],
  query: {
    type: 'object',
    properties: {
      pages: {
        enum: ['all'],
        description:
          'all reads every page of a list, within the bounds of the adapter (`paging` of its options), and returns the last page with the items of all; default: one request',
      },
    },
  },
  body: queryRequestSchema,
  reply: queryReplySchema,
  audited: true,
  replyHeaders: {
    age: 'Seconds since the orchestrator confirmed a reply of the cache; only with a cache',
    'cache-status': 'What the cache of the adapter did (RFC 9211); only with a cache',
    'x-gatehouse-unknown-nodes':
      'Paths in the reply for which the adapter has no schema, as strings of RFC 9651; only of the plugin netconf',
  },
  hot: true,
  tool: {
    changes: false,
    callsOrchestrators: true,
    narrow:
      'Ask for less: a deeper path, or in RESTCONF the query parameters fields and depth, for example ?fields=name;description&depth=2.',
  },
  target: ({ body: { params } }) => `GET ${withoutQuery(params.path)}`,
  handle({ params, query, body, principal, signal, span }, deps) {
    const call: RestCall = { kind: 'query', method: 'GET', ...body.params };
    const adapterId = params['adapterId'] ?? '';
    const operation = 'orchestrator-manager.restQuery' as const;
    const request = { operation, adapterId, call, principal, signal, span };
    if (choiceParameterOf(query, 'pages', ['all']) === 'all')
      return withReplyMemory(request, deps, (asked) => replyOfPages(asked, deps));
    return replyOfCall(request, deps, (result) => queryReply(result, request));
  },
};

/**
 * Returns the path without query and fragment, because the audit trail must not contain a token from a query.
 */
function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}

/** Calls through adapters; existing clients use the prefix `/nso_manager` (wire decision 4). */
export const orchestratorManager: Application<OrchestratorManagerDeps> = {
  name: 'orchestrator-manager',
  summary: 'Calls to orchestrators through the adapters that are configured for them.',
  component: 'OrchestratorManager',
  prefixes: ['/orchestrator_manager', '/nso_manager'],
  operations: [restAction, restQuery],
};

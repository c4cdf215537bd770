import { jsonOrText, rawObject } from '../../core/decode-reply.js';
import type { OutboundCall } from '../../core/egress.js';
import type { HttpReply } from '../../core/http.js';
import type { Operation, RawJson } from '../../core/operation.js';
import type { Lease } from '../../core/snapshot.js';

/** Request body of a REST call (specification section 2.1). */
interface RestCallBody {
  readonly uri: string;
  readonly verb: OutboundCall['method'];
  readonly user?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly responseHeaders: boolean;
}

const requestSchema = {
  title: 'REST call request',
  type: 'object',
  required: ['uri', 'verb', 'responseHeaders'],
  additionalProperties: false,
  properties: {
    uri: {
      type: 'string',
      minLength: 1,
      description: 'URI of the outbound call',
      examples: ['https://inventory.example/devices/r1'],
    },
    verb: { enum: ['DELETE', 'GET', 'PATCH', 'PUT', 'POST'], examples: ['GET'] },
    user: { type: 'string', description: 'User for the target' },
    password: { type: 'string', description: 'Password for the target' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers to send' },
    body: { type: 'object', description: 'JSON body to send' },
    responseHeaders: {
      type: 'boolean',
      description: 'Whether the result contains the headers and the status of the reply',
    },
  },
} as const;

const replySchema = {
  title: 'REST call result',
  type: 'object',
  required: ['response'],
  properties: {
    response: { description: 'The JSON of the reply, or its text' },
    headers: { type: 'object', description: 'Reply headers, lower-case names; only with responseHeaders' },
    statusCode: { type: 'integer', description: 'Status of the reply; only with responseHeaders' },
  },
} as const;

/** Sends one request to a URI that the egress policy allows (specification 4.1, wire decision 1). */
export const restCall: Operation<ToolsDeps, RestCallBody> = {
  id: 'restCall',
  summary: 'Run one REST call to a URI.',
  method: 'POST',
  path: '/restCall',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  target: ({ body: { verb, uri } }) => `${verb} ${uriWithoutSecrets(uri)}`,
  async handle({ body, signal, span }, { lease }) {
    const call = { ...outboundCall(body), ...(span && { span }) };
    const reply = await lease((snapshot) => snapshot.egress.call(call, signal));
    return { body: resultOf(reply, body.responseHeaders), outcome: String(reply.status) };
  },
};

/** Removes the query, the fragment and the user information of a URI, which may contain secrets. */
function uriWithoutSecrets(uri: string): string {
  return uri.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

function outboundCall({ uri, verb, user, password, headers = {}, body }: RestCallBody): OutboundCall {
  const hasContentType = body === undefined || hasHeader(headers, 'content-type');
  return {
    uri,
    method: verb,
    headers: hasContentType ? headers : { ...headers, 'content-type': 'application/json' },
    ...((user ?? password) !== undefined && { credentials: { user: user ?? '', password: password ?? '' } }),
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

function resultOf(reply: HttpReply, withHeaders: boolean): RawJson {
  const response = jsonOrText(reply);
  if (!withHeaders) return rawObject({ response });
  return rawObject({ response, headers: reply.headers, statusCode: reply.status });
}

/** Dependencies of the tools: a lease of the active snapshot, which contains the egress. */
export interface ToolsDeps {
  readonly lease: Lease;
}

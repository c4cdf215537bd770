import { jsonOrText, rawObject } from '../../core/decode-reply.js';
import type { OutboundCall, OutboundReply } from '../../core/egress.js';
import type { Application, JsonStream, Operation, RawJson } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { Lease } from '../../core/snapshot.js';
import { jsonText } from '../../json/write-json.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { LARGE_REPLY_BYTES, replyPieces, type ReplyPieces } from '../lib/reply-pieces.js';

const requestSchema = {
  title: 'REST call request',
  type: 'object',
  required: ['uri', 'verb', 'responseHeaders'],
  additionalProperties: false,
  properties: {
    uri: {
      type: 'string',
      minLength: 1,
      'x-documented': {
        pattern:
          "^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9._~!$&'()*+,;=:@/%\\[\\]-]+(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%\"<>\\[\\]^`{|}-]*)?$",
        maxLength: 8192,
      },
      description: 'URI of the outbound call',
      examples: ['https://inventory.example/devices/r1'],
    },
    verb: { enum: ['DELETE', 'GET', 'PATCH', 'PUT', 'POST'], examples: ['GET'] },
    user: { type: 'string', description: 'User for the target' },
    password: { type: 'string', description: 'Password for the target' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers to send' },
    body: {
      type: 'object',
      additionalProperties: true,
      'x-type-hint': 'send a list through an adapter with /proxy/ADAPTER/PATH',
      description: 'JSON body to send',
    },
    responseHeaders: {
      type: 'boolean',
      description: 'Whether the result contains the headers and the status of the reply',
    },
  },
} as const;

/** Request body of a REST call (specification section 2.1). */
type RestCallBody = FromSchema<typeof requestSchema>;

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
  description:
    'Sends one HTTP request to a URI that `egress.allow` permits, and returns the JSON or the text of the response. Needs no adapter, and adds no credentials of the server.',
  problems: [
    'invalid_uri',
    'invalid_header',
    'egress_denied',
    'too_many_requests',
    'egress_busy',
    'upstream_unreachable',
    'upstream_bad_reply',
    'upstream_too_large',
    'upstream_timeout',
  ],
  method: 'POST',
  path: '/restCall',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  keepsText: 'body',
  reply: replySchema,
  audited: true,
  target: ({ body: { verb, uri } }) => `${verb} ${uriWithoutSecrets(uri)}`,
  async handle({ body, bodyText, principal, signal, span }, { lease }) {
    const call = { ...outboundCall(body, bodyText), subject: subjectOf(principal), ...(span && { span }) };
    const reply = await lease((snapshot) => snapshot.egress.call(call, signal));
    try {
      const result = await resultOf(reply, body.responseHeaders, signal);
      return { body: result, outcome: String(reply.status), onEnd: reply.release };
    } catch (error) {
      reply.release();
      throw error;
    }
  },
};

/** Returns the name of the caller, which two issuers may have given to different people. */
function subjectOf(principal: Principal | undefined): string {
  return JSON.stringify([principal?.issuer, principal?.subject]);
}

/** Removes the query, the fragment and the user information of a URI, which may contain secrets. */
function uriWithoutSecrets(uri: string): string {
  return uri.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

/** Returns the call; its body is the text as the caller wrote it, because a server may distinguish `1.0` from `1`. */
function outboundCall(
  { uri, verb, user, password, headers = {}, body }: RestCallBody,
  bodyText: string | undefined,
): Omit<OutboundCall, 'subject'> {
  const hasContentType = body === undefined || hasHeader(headers, 'content-type');
  return {
    uri,
    method: verb,
    headers: hasContentType ? headers : { ...headers, 'content-type': 'application/json' },
    ...((user ?? password) !== undefined && { credentials: { user: user ?? '', password: password ?? '' } }),
    ...(body !== undefined && { body: Buffer.from(bodyText ?? jsonText(body)) }),
  };
}

function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

async function resultOf(
  reply: OutboundReply,
  withHeaders: boolean,
  signal: CancelSignal,
): Promise<RawJson | JsonStream> {
  const { headers, status: statusCode, body, maxBytes } = reply;
  const about = withHeaders ? { headers, statusCode } : {};
  if (body.length <= LARGE_REPLY_BYTES) return rawObject({ response: jsonOrText(reply), ...about });
  const response = await replyPieces(reply, { signal, maxBytes });
  return { jsonPieces: objectPieces(response, about) };
}

/** Returns an object with the member `response` and others. */
async function* objectPieces(
  response: ReplyPieces,
  others: Readonly<Record<string, unknown>>,
): AsyncGenerator<string | Uint8Array> {
  yield '{"response":';
  yield* response.pieces();
  const rest = JSON.stringify(others).slice(1);
  yield rest === '}' ? rest : `,${rest}`;
}

/** Dependencies of the tools: a lease of the active snapshot, which contains the egress. */
export interface ToolsDeps {
  readonly lease: Lease;
}

export const tools: Application<ToolsDeps> = {
  name: 'tools',
  summary: 'Standalone tools: one REST call to an address that the operator allows.',
  component: 'Tools',
  prefixes: ['/tools'],
  operations: [restCall],
};

import type { AdapterMethod, MethodCall } from '../../src/core/adapter-method.js';
import type { OutboundRequest, UpstreamReply } from '../../src/core/adapter.js';
import { upstreamErrorOf } from '../../src/core/decode-reply.js';
import type { RawJson } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { upstreamErrorKind } from '../../src/core/transport-failure.js';
import { jsonText } from '../../src/json/write-json.js';
import { oneLine } from '../../src/lib/one-line.js';
import type { RpcSchema } from '../../src/yang/rpc-schemas.js';
import { OF_SESSIONS } from './invoke.js';
import { explainFault, YANG_JSON } from './replies.js';

/** Maximum length of a summary, in characters. */
const MAX_SUMMARY = 200;

/**
 * Returns the rpcs of a server as methods. YANG does not say which rpc only reads, so each may change something. Those that would
 * change the session of the adapter are no methods.
 */
export function rpcMethods(rpcs: readonly RpcSchema[]): readonly AdapterMethod[] {
  return rpcs
    .filter(({ module }) => !OF_SESSIONS.has(module))
    .map(({ name, module, description, input, output }) => {
      const [first = ''] = description.split(/(?<=\.)\s/, 1);
      return {
        name,
        summary: oneLine(first, MAX_SUMMARY) || `Run ${name}.`,
        ...(description !== '' && { description }),
        tags: [module],
        input: JSON.parse(input) as JsonSchema,
        ...(output !== undefined && { output: JSON.parse(output) as JsonSchema }),
      };
    });
}

/** Returns the request that invokes an rpc (RFC 8040 section 3.6). */
export function rpcRequest({ method, args }: MethodCall): OutboundRequest {
  const [module = ''] = method.split(':', 1);
  const hasInput = Object.keys(args).length > 0;
  return {
    method: 'POST',
    path: `/operations/${method}`,
    headers: { accept: YANG_JSON, ...(hasInput && { 'content-type': YANG_JSON }) },
    ...(hasInput && { body: Buffer.from(jsonText({ [`${module}:input`]: args })) }),
  };
}

/** Returns the output of an rpc, or null without one. Throws the Problem of a refused call with the error report of the server. */
export function rpcResult(reply: UpstreamReply): RawJson | null {
  if (reply.status < 300) return reply.body.length === 0 ? null : { rawJson: reply.body };
  const { code, status } = upstreamErrorKind(reply.status);
  const { detail = 'the server refused the rpc' } = explainFault(reply) ?? {};
  const upstream = { status: reply.status, body: upstreamErrorOf(reply) };
  throw new Problem(code, detail, { status, reason: detail, upstream });
}

import { type Adapter, type RestCall, UNKNOWN_NODES_HEADER, type UpstreamReply } from '../../core/adapter.js';
import { jsonOrText } from '../../core/decode-reply.js';
import type { JsonStream, Reply } from '../../core/operation.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { LARGE_REPLY_BYTES, MAX_UTF8_GROWTH, replyPieces } from '../lib/reply-pieces.js';
import { upstreamProblem } from '../lib/upstream-problem.js';
import { type AdapterRequest, type CallResult, runPlugin } from './execute-call.js';

/** Returns the reply to the caller of a query, as the plugin of the adapter shapes it. */
export function queryReply(
  { adapter, plugin, replies, last, cache, callerHeaders }: CallResult,
  { adapterId, call, signal }: Pick<AdapterRequest, 'adapterId' | 'call' | 'signal'>,
): Reply | Promise<Reply> {
  if (last.status >= 300) {
    const { location } = callerHeaders(replies.length - 1);
    throw upstreamProblem(adapter, last, { path: call.path, location });
  }
  const outcome = cache?.isHit ? `${last.status} from cache` : String(last.status);
  const unknown = callerHeaders(replies.length - 1)[UNKNOWN_NODES_HEADER];
  const headers = {
    ...(cache && { age: String(cache.ageSeconds), 'cache-status': cache.status }),
    ...(unknown !== undefined && { [UNKNOWN_NODES_HEADER]: unknown }),
  };
  if (!adapter.shape && last.body.length > LARGE_REPLY_BYTES)
    return largeReply(last, signal).then((body) => ({ body, outcome, headers }));
  const shape = { plugin, adapter: adapterId, method: 'shape' };
  const result = runPlugin(shape, () => shapeReply(adapter, call, last));
  return { body: result, outcome, headers };
}

/** Returns the same as `shapeReply` in pieces, so that a large reply does not stop the calls of others. */
async function largeReply(reply: UpstreamReply, signal: CancelSignal): Promise<JsonStream> {
  const maxBytes = reply.body.length * MAX_UTF8_GROWTH;
  const { isText, pieces } = await replyPieces(reply, { signal, maxBytes });
  return { jsonPieces: isText ? resultPieces(pieces()) : pieces() };
}

async function* resultPieces(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield '{"result":[';
  yield* text;
  yield ']}';
}

function shapeReply(adapter: Adapter, call: RestCall, reply: UpstreamReply): unknown {
  if (adapter.shape) return requireNoPromise(adapter.shape(call, reply));
  const value = jsonOrText(reply);
  if (typeof value !== 'string') return value;
  return { result: value === '' ? [] : [value] };
}

/** Throws if a plugin's `shape` returns a promise: the reply would be `{}`. */
function requireNoPromise(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new TypeError('the function shape of the plugin returned a promise');
}

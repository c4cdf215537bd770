import { Problem } from '../core/problem.js';
import { withoutByteOrderMark } from '../json/byte-order-mark.js';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { parseJson } from '../json/strict-json.js';
import { bodyLength } from './drain-request.js';
import { pageOf } from './list-query.js';
import { readBytes } from './request-body.js';
import type { HttpExchange } from './request-context.js';

/** Maximum size of the body of a list request, in bytes. A larger body is ignored. */
const MAX_BODY_BYTES = 16_384;

/**
 * Reads the query of a list request. Some clients of the platform send the parameters as the member `queryOptions` of a
 * JSON body of the GET; a parameter of the URL takes precedence. Any other body is ignored, as for every GET. Adds
 * `defaultLimit`, if it is given, to a query without a limit.
 */
export async function readListQuery(
  exchange: HttpExchange & { readonly query: URLSearchParams },
  defaultLimit?: number,
): Promise<URLSearchParams> {
  const query = new URLSearchParams(exchange.query);
  for (const [name, value] of parametersOf(await readQueryOptions(exchange)))
    if (!query.has(name)) query.append(name, value);
  const hasLimit = (query.get('limit') ?? '') !== '';
  if (!hasLimit && defaultLimit !== undefined) query.set('limit', String(defaultLimit));
  return query;
}

async function readQueryOptions(exchange: HttpExchange): Promise<JsonObject> {
  const { req } = exchange;
  const length = bodyLength(req.headers);
  if (length === 0 || length > MAX_BODY_BYTES) {
    // An unread body would hide the disconnect of the client.
    req.resume();
    return {};
  }
  const parsed = parseJson(withoutByteOrderMark(await readJsonBytes(exchange)));
  const body = 'value' in parsed ? parsed.value : undefined;
  const options = isJsonObject(body) ? body['queryOptions'] : undefined;
  return isJsonObject(options) ? options : {};
}

/** Reads the body; resolves to an empty buffer if it is not JSON. */
async function readJsonBytes(exchange: HttpExchange): Promise<Buffer> {
  try {
    return await readBytes(exchange, { limit: MAX_BODY_BYTES });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unsupported_media_type') throw error;
    exchange.req.resume();
    return Buffer.alloc(0);
  }
}

/** Returns the options as parameters of a query: `{"equals": {"name": "a"}}` becomes `equals[name]=a`. */
function parametersOf(options: JsonObject): readonly (readonly [name: string, value: string])[] {
  return Object.entries(options).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([field, item]) => parameterOf(`${name}[${field}]`, item))
      : parameterOf(name, value),
  );
}

function parameterOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  return ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [];
}

/**
 * Returns the header `Link` with the next page (RFC 8288); no header if the reply has the last page. The link omits the
 * token of the query.
 */
export function nextPageHeaders(query: URLSearchParams, reply: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(reply)) return {};
  const { results, total } = reply;
  if (!Array.isArray(results) || typeof total !== 'number') return {};
  const { limit, skip } = pageOf(query);
  const next = skip + results.length;
  if (limit === 0 || results.length === 0 || next >= total) return {};
  const parameters = new URLSearchParams(query);
  parameters.delete('token');
  parameters.set('skip', String(next));
  return { link: `<?${parameters.toString()}>; rel="next"` };
}

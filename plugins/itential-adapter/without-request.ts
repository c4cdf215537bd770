import { isJsonObject, type JsonObject } from '../../src/json/json-object.js';

/**
 * Members of a result that repeat the request of the adapter, with its credentials. `requestCookie` is a cookie of the adapter's
 * session.
 */
const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['reqHdr', 'request', 'requestCookie']);

/** Depth to which the request of the adapter is removed from a result; a deeper value is data. */
const REQUEST_DEPTH = 4;

/**
 * Returns a result, or an error, without the credentials that the adapter sent, and without the cookies that it received, also in
 * lists and in members. Leaves `response` unchanged, which is data of the orchestrator.
 */
export function withoutRequest(result: unknown, depth = REQUEST_DEPTH): unknown {
  if (depth === 0) return result;
  if (Array.isArray(result)) return result.map((item) => withoutRequest(item, depth - 1));
  if (!isPlainObject(result)) return result;
  // In a member, `request` alone may be data of the orchestrator.
  const keepsRequest = depth < REQUEST_DEPTH && !('icode' in result) && !('reqHdr' in result);
  const members = Object.entries(result)
    .filter(([name]) => !REQUEST_MEMBERS.has(name) || (keepsRequest && name === 'request'))
    .map(([name, value]: [string, unknown]) => [name, memberWithoutRequest(name, value, depth - 1)]);
  return Object.fromEntries(members);
}

function memberWithoutRequest(name: string, value: unknown, depth: number): unknown {
  if (name === 'response') return value;
  return name === 'headers' ? withoutCookies(value) : withoutRequest(value, depth);
}

/** Returns false for objects with a JSON form of their own, such as dates. */
function isPlainObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value['toJSON'] !== 'function';
}

function withoutCookies(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'set-cookie'));
}

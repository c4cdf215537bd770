import type { HttpLimits } from '../../core/http.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { readStoredJson } from '../../json/strict-json.js';
import type { Gateway } from '../login/gateway.js';

interface ManagementRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  /** Value of `If-Match`. */
  readonly etag?: string | undefined;
  /** True for a record that must not exist yet. */
  readonly isNew?: true;
}

interface ManagementReply {
  readonly value: unknown;
  readonly etag?: string;
}

/** The management API of a server, with the token of a user. Throws a Refusal for each status other than 200. */
export interface ManagementClient {
  send(request: ManagementRequest): Promise<ManagementReply>;
  /** Returns all entries of a list, page by page. */
  list(path: string): Promise<readonly JsonObject[]>;
}

const PAGE = 100;

/** Limits of a request: a page of forms may be large. */
const LIMITS: HttpLimits = { totalMs: 120_000, replyBytes: 256 * 1024 * 1024 };

export function createManagementClient(gateway: Gateway, token: string): ManagementClient {
  const send: ManagementClient['send'] = async ({ method, path, body, etag, isNew }) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(etag !== undefined && { 'if-match': etag }),
      ...(isNew && { 'if-none-match': '*' }),
    };
    const reply = await gateway.send(method, path, { headers, limits: LIMITS, ...(body && { body }) });
    const tag = reply.headers['etag'];
    const value: unknown = readStoredJson(reply.body.toString('utf8'));
    return { value, ...(typeof tag === 'string' && { etag: tag }) };
  };
  return {
    send,
    async list(path) {
      const entries: JsonObject[] = [];
      for (;;) {
        const { value } = await send({ method: 'GET', path: `${path}?limit=${PAGE}&skip=${entries.length}` });
        const page = isJsonObject(value) ? value['results'] : value;
        if (!Array.isArray(page)) throw new Error(`${gateway.url}${path} is no list`);
        entries.push(...page.filter(isJsonObject));
        if (page.length < PAGE) return entries;
      }
    },
  };
}

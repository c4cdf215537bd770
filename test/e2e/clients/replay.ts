import assert from 'node:assert/strict';
import { valueAt } from '../../../src/core/pointer.js';
import type { JsonSchema } from '../../../src/core/schema.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { callUrl, type CallResult } from '../../support/call.js';
import type { TestServer } from '../../support/test-server.js';

/** One request as a client sends it, and the reply that the client needs. */
export interface ClientCase {
  /** The client and its current action. */
  readonly name: string;
  /**
   * `{name}` anywhere in the request is replaced by the value that an earlier case keeps under that name; it
   * stays a number if it is the whole value.
   */
  readonly request: ClientRequest;
  /**
   * Authentication of the client: the token of an admin as Bearer (when absent), in the cookie `token` or in
   * the query; the cookies that the client received; or only the content of the request.
   */
  readonly shows?: 'bearer' | 'cookie' | 'query' | 'jar' | 'nothing';
  /** Expected status; 200 when absent, because most clients accept no other success. */
  readonly status?: number;
  /** Start of the media type; `application/json` when absent. */
  readonly type?: string;
  /** Schema that the client's decoder accepts; a text that is not JSON is checked as a string. */
  readonly reply: JsonSchema;
  /** Values of the reply that later requests use: pointers by name, `''` for the complete reply. */
  readonly keeps?: Readonly<Record<string, string>>;
}

interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON for every method. */
  readonly body?: unknown;
  /** Body that is sent unchanged. */
  readonly text?: string;
}

/** Values that a client keeps between its requests. */
interface Memory {
  readonly kept: Map<string, string | number>;
  /** Cookies of the last reply that set any; like `ipctl`, the replay drops all earlier cookies. */
  jar: string;
}

/**
 * Defines a test for each case, in order: sends the request and decodes the reply as strictly as the client
 * does. `given` returns values for requests that exist only after the server has started.
 */
export function replay(
  testServer: () => TestServer,
  cases: readonly ClientCase[],
  given: () => Readonly<Record<string, string | number>> = () => ({}),
): void {
  const memory: Memory = { kept: new Map(), jar: '' };
  for (const one of cases)
    it(one.name, async () => {
      for (const [name, value] of Object.entries(given())) memory.kept.set(name, value);
      const answer = await send(testServer(), one, memory);
      const { status = 200, type = 'application/json', reply } = one;
      assert.equal(answer.status, status, answer.text);
      assert.ok(String(answer.headers['content-type']).startsWith(type), 'wrong media type');
      const value = type.startsWith('text/') ? answer.text : answer.json;
      assert.deepEqual(compileSchema(reply)(structuredClone(value)).violations, []);
      for (const [name, pointer] of Object.entries(one.keeps ?? {}))
        memory.kept.set(name, String(valueAt(value, pointer)));
      const cookies = [answer.headers['set-cookie'] ?? []].flat();
      if (cookies.length > 0) memory.jar = cookies.map((text) => text.split(';')[0]).join('; ');
    });
}

function send(
  testServer: TestServer,
  { request, shows = 'bearer' }: ClientCase,
  memory: Memory,
): Promise<CallResult> {
  const { path, headers, ...options } = filled(request, memory.kept);
  const token = testServer.issueToken('admin');
  const cookie = { cookie: `token=${token}`, jar: memory.jar }[shows as string];
  return callUrl(testServer.url + (shows === 'query' ? withQuery(path, `token=${token}`) : path), {
    ...options,
    headers: { ...headers, ...(cookie !== undefined && { cookie }) },
    ...(shows === 'bearer' && { token }),
  });
}

function filled(request: ClientRequest, kept: Memory['kept']): ClientRequest {
  const text = JSON.stringify(request).replaceAll(
    /"\{(\w+)\}"|\{(\w+)\}/g,
    (all, alone?: string, name?: string) => {
      const value = kept.get(alone ?? name ?? '');
      if (value === undefined) return all;
      return alone === undefined ? JSON.stringify(String(value)).slice(1, -1) : JSON.stringify(value);
    },
  );
  return JSON.parse(text) as ClientRequest;
}

function withQuery(path: string, pair: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${pair}`;
}

/** Schemas of the values that clients decode into. */
export const kinds = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  object: { type: 'object' },
  /** Go's `int` on 64-bit machines, limited to safe integers. */
  int: { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  int32: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  float: { type: 'number' },
  /** Go's `map[string]string`. */
  texts: { type: 'object', additionalProperties: { type: 'string' } },
  /** Returns the schema of one of these texts, like Python's `Literal`. */
  literal: (...words: readonly string[]): JsonSchema => ({ enum: words }),
  /** Returns the schema of a string that matches a pattern. */
  like: (pattern: string): JsonSchema => ({ type: 'string', pattern }),
  /** Returns the schema of exactly one value. */
  exactly: (value: unknown): JsonSchema => ({ const: value }),
  /** Returns the schema of an object with all of these members; other members are ignored. */
  model: (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  }),
  listOf: (items: JsonSchema): JsonSchema => ({ type: 'array', items }),
  /** Returns the schema of a list with at least one item. */
  someOf: (items: JsonSchema): JsonSchema => ({ type: 'array', items, minItems: 1 }),
  /** Returns the schema of a value or null. */
  optional: (schema: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'null' }, schema] }),
} as const;

/** Headers that clients send with every request, with or without a body. */
export const senders = {
  /** Headers of Go's client, which sends the content type even without a body. */
  ipctl: { 'accept': 'application/json', 'content-type': 'application/json', 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' }, // prettier-ignore
  /** Headers of Go's client for a PUT without a body. */
  ipctlEmpty: { 'accept': 'application/json', 'content-type': 'application/json', 'content-length': '0' }, // prettier-ignore
  /** Headers of Python's httpx, which `ipsdk` and `itential-mcp` use. */
  ipsdk: { 'accept': 'application/json', 'content-type': 'application/json', 'accept-encoding': 'gzip, deflate' }, // prettier-ignore
  /** Headers of the collection `itential.platform`. */
  ansible: { 'accept': 'application/json', 'content-type': 'application/json' }, // prettier-ignore
  /** Headers of Python's requests, which `iap-sdk` and `Itential.py` use. */
  requests: { accept: '*/*', 'accept-encoding': 'gzip, deflate' },
} as const;

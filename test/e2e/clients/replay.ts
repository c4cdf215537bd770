import assert from 'node:assert/strict';
import { valueAt } from '../../../src/json/pointer.js';
import { callUrl, type CallResult } from '../../support/call.js';
import { assertMembers } from '../../support/members.js';
import type { Route } from '../../support/server-calls.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/test-server.js';

/**
 * One request as a client sends it, and what the client needs of its reply: the client and its current action, the
 * request, and members of the reply. Types of members need no mention: `callUrl` compares each reply with the API
 * description, which requires all members that these clients decode.
 */
export type ClientCase = readonly [name: string, sent: ClientRequest, reply?: unknown, more?: Expected];

interface Expected {
  /** Default: 200, because most clients accept no other success. */
  readonly status?: number;
  /** Start of the media type; default: JSON, or a problem document after a failure. */
  readonly type?: string;
  /** Values of the reply that later requests use: pointers by name, `''` for the complete reply. */
  readonly keeps?: Readonly<Record<string, string>>;
}

/**
 * `{name}` anywhere in a request is replaced by the value that an earlier case keeps under that name; it stays a
 * number if it is the whole value.
 */
interface ClientRequest {
  readonly route: Route;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON for every method; a text is sent unchanged. */
  readonly body?: unknown;
  /**
   * Authentication of the client: the token of an admin in the cookie `token` or in the query; the cookies that
   * the client received; or only the content of the request.
   */
  readonly shows: 'cookie' | 'query' | 'jar' | 'nothing';
}

/** Values that a client keeps between its requests. */
interface Memory {
  readonly kept: Map<string, string | number>;
  /** Cookies of the last reply that set any; like `ipctl`, the replay drops all earlier cookies. */
  jar: string;
}

/** Starts a server for the suite; `given` returns values for requests that exist only after the start. */
export function clientServer(
  options: TestServerOptions = {},
  given: (server: TestServer) => Readonly<Record<string, string | number>> = () => ({}),
) {
  let server: TestServer;
  const memory: Memory = { kept: new Map(), jar: '' };
  before(async () => {
    server = await startTestServer(options);
    for (const [name, value] of Object.entries(given(server))) memory.kept.set(name, value);
  });
  after(() => server.close());
  /** Defines a test for each case, in order. */
  const replay = (cases: readonly ClientCase[]): void => {
    for (const [name, request, reply = {}, expected = {}] of cases)
      it(name, async () => {
        const answer = await send(server, request, memory);
        const { status = 200, keeps = {} } = expected;
        const { type = status < 400 ? 'application/json' : 'application/problem+json' } = expected;
        assert.equal(answer.status, status, answer.text);
        assert.ok(String(answer.headers['content-type']).startsWith(type), 'wrong media type');
        const value = type.startsWith('text/') ? answer.text : answer.json;
        assertMembers(value, reply, 'the reply');
        for (const [key, pointer] of Object.entries(keeps))
          memory.kept.set(key, String(valueAt(value, pointer)));
        const cookies = [answer.headers['set-cookie'] ?? []].flat();
        if (cookies.length > 0) memory.jar = cookies.map((text) => text.split(';')[0]).join('; ');
      });
  };
  return { server: () => server, replay };
}

function send(server: TestServer, request: ClientRequest, { kept, jar }: Memory): Promise<CallResult> {
  const { route, headers, body, shows } = filled(request, kept);
  const [method = '', path = ''] = route.split(/ (.*)/);
  const token = `token=${server.issueToken('admin')}`;
  const query = shows === 'query' ? `${path.includes('?') ? '&' : '?'}${token}` : '';
  const cookie = { cookie: token, jar }[shows as string];
  return callUrl(server.url + path + query, {
    method,
    ...(typeof body === 'string' ? { text: body } : { body }),
    headers: { ...headers, ...(cookie !== undefined && { cookie }) },
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

/** Returns a function that makes requests with the headers that a client sends, with or without a body. */
const sender =
  (shows: ClientRequest['shows'], headers: ClientRequest['headers']) =>
  (route: Route, body?: unknown, more: ClientRequest['headers'] = {}): ClientRequest => ({
    route,
    shows,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body }),
  });

const json = { accept: 'application/json', 'content-type': 'application/json' } as const;
/** Go's client, which sends the content type even without a body. */
export const ipctl = sender('cookie', {
  ...json,
  'user-agent': 'Go-http-client/1.1',
  'accept-encoding': 'gzip',
});
/** Python's httpx, which `ipsdk` and `itential-mcp` use. */
export const ipsdk = sender('cookie', { ...json, 'accept-encoding': 'gzip, deflate' });
/** The collection `itential.platform`. */
export const ansible = sender('query', json);
/** Python's requests, which `iap-sdk` and `Itential.py` use. */
export const requests = sender('cookie', { accept: '*/*', 'accept-encoding': 'gzip, deflate' });

/** Returns the same request without a token, or with the cookies that the client received. */
export const showing = (shows: 'jar' | 'nothing', request: ClientRequest): ClientRequest => ({
  ...request,
  shows,
});

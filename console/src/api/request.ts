import type { SchemaSubtree } from '../../../src/form-model/schema-subtrees.js';
import type { ApiRequest } from './api-request.js';
import { reportAnswer, reportNoAnswer } from './connection.js';
import { ApiProblem, problemOf, SESSION_ENDED, unreachable } from './problem.js';
import { needsSession, sendInSession } from './session.js';

export { type ApiRequest, pathOf } from './api-request.js';

/** A successful response. */
export interface ApiReply<Data> {
  readonly data: Data;
  /** The text that `data` was parsed from. */
  readonly text: string;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
}

/** Sends a request with the session's cookie. Throws an {@link ApiProblem} unless the request succeeds. */
export async function request<Data>(wanted: ApiRequest): Promise<ApiReply<Data>> {
  const response = await send(wanted);
  const text = await response.text();
  if (!response.ok) {
    const isSignedOut = response.status === 401 && needsSession(wanted.path);
    const document = documentOf(text);
    throw new ApiProblem(response.status, isSignedOut ? { ...document, code: SESSION_ENDED } : document);
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    data: (isJson && text !== '' ? JSON.parse(text) : text) as Data,
    text,
    etag: response.headers.get('etag') ?? undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
  };
}

async function send(wanted: ApiRequest): Promise<Response> {
  const { method = 'GET', path, body, json, ifMatch, ifNoneMatch, signal } = wanted;
  const text = json ?? (body === undefined ? undefined : JSON.stringify(body));
  const headers: Record<string, string> = { ...OWN_PAGE, accept: 'application/json' };
  if (text !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch;
  try {
    const response = await sendInSession(path, () =>
      fetch(path, {
        method,
        headers,
        credentials: 'same-origin',
        ...(text !== undefined && { body: text }),
        ...(signal && { signal }),
      }),
    );
    reportAnswer();
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!(error instanceof ApiProblem)) reportNoAnswer();
    throw unreachable(error);
  }
}

function documentOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Some responses for old clients are plain text.
  }
  return { detail: text.slice(0, 500) };
}

/** A request of any method, to be shown as a command line. */
export interface CurlRequest extends Pick<ApiRequest, 'path' | 'body' | 'json' | 'ifMatch'> {
  readonly method?: string;
}

/** Returns the request as a shell command. The token is a placeholder for the reader to replace. */
export function asCurl({ method = 'GET', path, body, json, ifMatch }: CurlRequest): string {
  const text = json ?? (body === undefined ? undefined : JSON.stringify(body));
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  const parts = [
    method === 'GET' ? 'curl' : method === 'HEAD' ? 'curl --head' : `curl -X ${method}`,
    quoted(new URL(path, window.location.href).href),
    `-H "Authorization: Bearer $TOKEN"`,
    ...(ifMatch === undefined ? [] : [`-H ${quoted(`If-Match: ${ifMatch}`)}`]),
    ...(text === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(text)}`]),
  ];
  return parts.join(' ');
}

/**
 * Proves to the server that a script of the server's own page sends the request, not a form of another site.
 */
const OWN_PAGE = { 'x-gatehouse-csrf': '1' } as const;

/** A request whose response is shown unchanged. */
export interface ApiExchange {
  readonly method: string;
  readonly path: string;
  /** Sent unchanged. */
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of any status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Time from sending the request to the last byte of the response, in milliseconds. */
  readonly ms: number;
}

/**
 * Sends a request with the session's cookie and returns the response, also an error response. Throws an
 * {@link ApiProblem} with the code `unreachable` if there is no response.
 */
export async function exchange({
  method,
  path,
  body,
  type = 'application/json',
  headers = {},
}: ApiExchange): Promise<ApiResponse> {
  const begin = performance.now();
  try {
    const response = await sendInSession(path, () =>
      fetch(path, {
        method,
        headers: { ...headers, ...OWN_PAGE, ...(body !== undefined && { 'content-type': type }) },
        credentials: 'same-origin',
        redirect: 'manual',
        ...(body !== undefined && { body }),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: [...response.headers],
      text,
      ms: Math.round(performance.now() - begin),
    };
  } catch (error) {
    throw problemOf(error);
  }
}

/** Reply of the operations that return parts of a schema. */
interface Subtrees {
  readonly subtrees: readonly SchemaSubtree[];
  readonly truncated: boolean;
}

/** Returns the function that loads parts of a schema from a path, with a query. It throws an ApiProblem. */
export function loadSubtreesFrom(
  path: string,
): (query: Readonly<Record<string, string>>) => Promise<Subtrees> {
  return async (query) =>
    (await request<Subtrees>({ path: `${path}?${new URLSearchParams(query).toString()}` })).data;
}

import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';

const text = textOf('try');

/** A test request to an orchestrator. */
export interface TestRequest {
  /**
   * `QUERY` reads and shows the response. All other values are methods of an action, whose result shows the
   * status, the headers and the body of each response.
   */
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  /** A JSON object; empty if there is no body. */
  readonly body: string;
}

/** The methods: a query, and the methods of an action. */
const METHODS = ['QUERY', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Media types that the fields Accept and Content-Type suggest. */
export const MEDIA_TYPES = [
  'application/json',
  'application/yang-data+json',
  'application/yang-patch+json',
  'application/xml',
  'text/plain',
] as const;

/** Returns the initial request through an adapter with this plugin: RESTCONF has media types of its own (RFC 8040). */
export function initialRequest(plugin: string): TestRequest {
  const type = plugin === 'restconf' ? 'application/yang-data+json' : 'application/json';
  return { method: 'QUERY', path: '', accept: type, contentType: type, body: '' };
}

/** Returns the methods that are available with these permissions. */
export function permittedMethods(may: (operation: string) => boolean): readonly string[] {
  return METHODS.filter((method) => may(method === 'QUERY' ? 'restQuery' : 'restAction'));
}

/** True for a request that may change something on the orchestrator. */
export function isChange(method: string): boolean {
  return method !== 'QUERY' && method !== 'GET';
}

/** Returns the errors of the request by field; valid fields are undefined. */
export function requestFaults({ path, body, method }: TestRequest): {
  readonly path?: string;
  readonly body?: string;
} {
  const bodyFault = isChange(method) && body.trim() !== '' ? faultOfObject(body) : undefined;
  return {
    ...(!path.startsWith('/') && { path: text('pathFault') }),
    ...(bodyFault !== undefined && { body: bodyFault }),
  };
}

/** Returns the request to gatehouse. The body is sent as typed, so that long numbers keep their digits. */
export function requestOf(
  adapter: string,
  { method, path, accept, contentType, body }: TestRequest,
): ApiRequest {
  if (method === 'QUERY')
    return {
      method: 'POST',
      path: pathOf(['orchestrator_manager', 'restQuery', adapter]),
      body: { params: { path, accept } },
    };
  const bodyText = isChange(method) && body.trim() !== '' ? body : '{}';
  const params = { path, accept, method, responseBody: true, ...(bodyText !== '{}' && { contentType }) };
  return {
    method: 'POST',
    path: pathOf(['orchestrator_manager', 'restAction', adapter]),
    json: `{"params":${JSON.stringify(params)},"body":${bodyText}}`,
  };
}

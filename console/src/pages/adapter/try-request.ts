import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { faultOfObject } from '../adapters/json-text.js';

/** A test request to an orchestrator. */
export interface Trial {
  /**
   * `QUERY` reads and shows the response; the others are methods of an action, which returns only the status.
   */
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  /** A JSON object; empty if there is no body. */
  readonly body: string;
}

/** The methods: a query, and the methods of an action. */
export const METHODS = ['QUERY', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The initial request. */
export const FIRST_TRIAL: Trial = {
  method: 'QUERY',
  path: '',
  accept: 'application/json',
  contentType: 'application/json',
  body: '',
};

/** Returns the methods that are available with these permissions. */
export function openMethods(may: (operation: string) => boolean): readonly string[] {
  return METHODS.filter((method) => may(method === 'QUERY' ? 'restQuery' : 'restAction'));
}

/** True for a request that may change something on the orchestrator. */
export function isChange(method: string): boolean {
  return method !== 'QUERY' && method !== 'GET';
}

/** Returns why the request cannot be sent, by field; valid fields are undefined. */
export function faultsOfTrial({ path, body, method }: Trial): {
  readonly path?: string;
  readonly body?: string;
} {
  const bodyFault = isChange(method) && body.trim() !== '' ? faultOfObject(body) : undefined;
  return {
    ...(!path.startsWith('/') && { path: 'The path must start with /.' }),
    ...(bodyFault !== undefined && { body: bodyFault }),
  };
}

/** Returns the request to gatehouse. The body is sent as typed, so that long numbers keep their digits. */
export function requestOf(adapter: string, { method, path, accept, contentType, body }: Trial): ApiRequest {
  if (method === 'QUERY')
    return {
      method: 'POST',
      path: pathOf(['orchestrator_manager', 'restQuery', adapter]),
      body: { params: { path, accept } },
    };
  const sent = isChange(method) && body.trim() !== '' ? body : '{}';
  const params = { path, accept, method, ...(sent !== '{}' && { contentType }) };
  return {
    method: 'POST',
    path: pathOf(['orchestrator_manager', 'restAction', adapter]),
    json: `{"params":${JSON.stringify(params)},"body":${sent}}`,
  };
}

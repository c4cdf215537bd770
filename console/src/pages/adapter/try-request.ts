import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { faultOfObject } from '../adapters/json-text.js';

/** What the reader asks of an orchestrator. */
export interface Trial {
  /** `QUERY` reads and shows what came; the others are methods of an action, which tells the status alone. */
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  /** A JSON object; empty: none. */
  readonly body: string;
}

/** A query, and the methods of an action. */
export const METHODS = ['QUERY', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** What is asked at first. */
export const FIRST_TRIAL: Trial = {
  method: 'QUERY',
  path: '',
  accept: 'application/json',
  contentType: 'application/json',
  body: '',
};

/** The methods that are open to somebody who may do these operations. */
export function openMethods(may: (operation: string) => boolean): readonly string[] {
  return METHODS.filter((method) => may(method === 'QUERY' ? 'restQuery' : 'restAction'));
}

/** True for a request that may change something on the orchestrator. */
export function isChange(method: string): boolean {
  return method !== 'QUERY' && method !== 'GET';
}

/** Why it cannot be sent, by field; what is undefined is fine. */
export function faultsOfTrial({ path, body, method }: Trial): {
  readonly path?: string;
  readonly body?: string;
} {
  const bodyFault = isChange(method) && body.trim() !== '' ? faultOfObject(body) : undefined;
  return {
    ...(!path.startsWith('/') && { path: 'A path begins with /.' }),
    ...(bodyFault !== undefined && { body: bodyFault }),
  };
}

/** The request to gatehouse; the body goes as it was typed, so that long numbers keep their digits. */
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

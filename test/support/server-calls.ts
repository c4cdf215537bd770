import assert from 'node:assert/strict';
import { type CallOptions, type CallResult, callUrl } from './call.js';
import type { TestServer } from './test-server.js';

/** Method and path, such as `GET /adapters`. */
export type Route = `${'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

interface ServerCallOptions extends CallOptions {
  /** Roles of the token for the subject `ada`; default: `admin`. */
  readonly roles?: readonly string[];
}

export interface ServerCalls {
  /** Sends a call, and returns its reply with any status. */
  readonly call: (route: Route, options?: ServerCallOptions) => Promise<CallResult>;
  /** Sends a call that must succeed, and returns its JSON. */
  readonly ask: <T = unknown>(route: Route, body?: unknown) => Promise<T>;
}

/** Returns functions that call the current server as an admin. */
export function callsTo(server: () => Pick<TestServer, 'url' | 'issueToken'>): ServerCalls {
  const call: ServerCalls['call'] = (route, { roles = ['admin'], ...options } = {}) => {
    const [method = '', path = ''] = route.split(/ (.*)/);
    const token = server().issueToken(...roles);
    return callUrl(server().url + path, { method, token, ...options });
  };
  const ask: ServerCalls['ask'] = async <T>(route: Route, body?: unknown) => {
    const { status, json, text } = await call(route, { body });
    assert.equal(status, 200, `${route}: ${text}`);
    return json as T;
  };
  return { call, ask };
}

/** Returns the code of a problem document. */
export function problemCodeOf({ json }: Pick<CallResult, 'json'>): string | undefined {
  return (json as { code?: string } | undefined)?.code;
}

/** Returns the status and the code of a problem document. */
export function refusalOf(result: CallResult): readonly [status: number, code: string | undefined] {
  return [result.status, problemCodeOf(result)];
}

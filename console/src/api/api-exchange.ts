import { OWN_PAGE } from './same-origin.js';
import { problemOf } from './problem.js';

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
    const response = await fetch(path, {
      method,
      headers: { ...headers, ...OWN_PAGE, ...(body !== undefined && { 'content-type': type }) },
      credentials: 'same-origin',
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
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

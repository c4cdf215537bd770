import type { Call } from '../../src/core/operation.js';

/** Creates a call as a handler receives it, with defaults for the members that a test does not set. */
export function operationCall<Body>(call: Partial<Call<Body>> & Pick<Call<Body>, 'body'>): Call<Body> {
  return {
    params: {},
    query: new URLSearchParams(),
    requestId: 'r',
    address: '192.0.2.1',
    header: () => undefined,
    signal: new AbortController().signal,
    ...call,
  };
}

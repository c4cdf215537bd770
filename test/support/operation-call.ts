import type { Call } from '../../src/core/operation.js';

/** A call as a handler sees it, with what a test does not care about filled in. */
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

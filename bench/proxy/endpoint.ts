import { type Call, REPLIES } from './profiles.js';

/** Expected reply. */
export interface Expected {
  readonly status: number;
  readonly body: string;
}

/** Requests that calls are translated to for a contender, and the expected replies. */
export interface Endpoint {
  target(call: Call): string;
  expect(call: Call): Expected;
}

/**
 * Returns the endpoint of translating contenders: an envelope contains the call, and the reply contains its
 * status.
 */
export function envelopeEndpoint(prefix: string, adapterId: string): Endpoint {
  return {
    target: ({ operation }) => `${prefix}/rest${operation === 'action' ? 'Action' : 'Query'}/${adapterId}`,
    expect: (call) => {
      const { status, body } = replyTo(call);
      return { status: 200, body: call.operation === 'action' ? `[{"result":"${status}"}]` : body };
    },
  };
}

/** Endpoint of contenders that forward the request unchanged. */
export const forwardingEndpoint: Endpoint = { target: ({ path }) => path, expect: replyTo };

function replyTo({ path }: Call): Expected {
  return REPLIES[path] ?? { status: 404, body: '' };
}

/** Bytes of an action's envelope. */
const ENVELOPE_BYTES = 405;

/** Returns the envelope of a call, as clients of the platform send it. */
export function envelopeOf({ operation, path }: Call): string {
  if (operation === 'query') return JSON.stringify({ params: { path, accept: 'application/json' } });
  const accept = 'application/json';
  const envelope = (description: string) =>
    JSON.stringify({
      params: { path, accept, contentType: accept, method: 'POST' },
      body: { interface: { name: 'GigabitEthernet0/1', enabled: true, mtu: 1500, description } },
    });
  return envelope('x'.repeat(ENVELOPE_BYTES - envelope('').length));
}

/** Returns the complete bytes of the request for a call. */
export function requestOf(endpoint: Endpoint, call: Call, token: string): string {
  const body = envelopeOf(call);
  const head = [
    `POST ${endpoint.target(call)} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

import { type Call, REPLIES } from './profiles.js';

/** What has to come back. */
export interface Expected {
  readonly status: number;
  readonly body: string;
}

/** How calls are asked for at a contender, and what has to come back. */
export interface Door {
  target(call: Call): string;
  expect(call: Call): Expected;
}

/** The door of those that translate: the call stands in an envelope, the reply tells how it went. */
export function envelopeDoor(prefix: string, adapterId: string): Door {
  return {
    target: ({ operation }) => `${prefix}/rest${operation === 'action' ? 'Action' : 'Query'}/${adapterId}`,
    expect: (call) => {
      const { status, body } = replyTo(call);
      return { status: 200, body: call.operation === 'action' ? `[{"result":"${status}"}]` : body };
    },
  };
}

/** The door of those that pass the request on as it is. */
export const forwardDoor: Door = { target: ({ path }) => path, expect: replyTo };

function replyTo({ path }: Call): Expected {
  return REPLIES[path] ?? { status: 404, body: '' };
}

/** Bytes of an action's envelope. */
const ENVELOPE_BYTES = 405;

/** The envelope of a call: what clients of the platform send. */
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

/** The bytes of the request that makes a call, with everything in it. */
export function requestOf(door: Door, call: Call, token: string): string {
  const body = envelopeOf(call);
  const head = [
    `POST ${door.target(call)} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

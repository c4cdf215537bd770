import assert from 'node:assert/strict';
import { type Adapter, headerOf, type RestCall, type UpstreamReply } from '../../../src/core/adapter.js';
import { valueAt } from '../../../src/json/pointer.js';

export const YANG = 'application/yang-data+json';
export const DATA = '/restconf/data';
export const LIST = `${DATA}/ietf-interfaces:interfaces`;
export const ETH0 = `${LIST}/interface=eth0`;
export const GIGABIT = `${LIST}/interface=GigabitEthernet0%2F1`;
export const RESTART = '/restconf/operations/gatehouse-demo:restart-interface';

/** What a call sends besides its method and path. */
interface Sent {
  readonly body?: unknown;
  readonly accept?: string;
  readonly contentType?: string;
}

/** A device behind a plugin, with one-line calls. */
export interface Device {
  /** Sends `call('GET /path')`; a body is JSON unless it is a text. */
  readonly call: (line: string, sent?: Sent) => Promise<UpstreamReply>;
  /** Returns the value of a successful GET. */
  readonly get: (path: string, pointer?: string) => Promise<unknown>;
  /** Returns the status of a call, and the error-tag of a failed one: `404 invalid-value`. */
  readonly outcome: (line: string, sent?: Sent) => Promise<string>;
}

/** Returns the device behind an adapter, whose requests are sent by a function. */
export function deviceOf(
  adapter: Adapter,
  send: (request: ReturnType<Adapter['translate']>[number], signal: AbortSignal) => Promise<UpstreamReply>,
): Device {
  const call: Device['call'] = (line, { body, accept = YANG, contentType } = {}) => {
    const [method, path] = line.split(' ') as [RestCall['method'], string];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const [request] = adapter.translate({
      kind: method === 'GET' ? 'query' : 'action',
      method,
      path,
      accept,
      ...(body !== undefined && { body: Buffer.from(text) }),
      ...(contentType !== undefined && { contentType }),
    });
    return send(request, AbortSignal.timeout(30_000));
  };
  return {
    call,
    async get(path, pointer = '') {
      const reply = await call(`GET ${path}`);
      assert.equal(reply.status, 200, `${path}: ${reply.body.toString()}`);
      assert.equal(headerOf(reply.headers, 'content-type'), YANG);
      return valueAt(JSON.parse(reply.body.toString()), pointer);
    },
    async outcome(line, sent) {
      const reply = await call(line, sent);
      if (reply.status < 400) return String(reply.status);
      assert.equal(headerOf(reply.headers, 'content-type'), YANG);
      const value: unknown = JSON.parse(reply.body.toString());
      return `${reply.status} ${String(valueAt(value, '/ietf-restconf:errors/error/0/error-tag'))}`;
    },
  };
}

/** A check of the contract, which holds for every plugin that is called with RESTCONF. */
export interface Check {
  readonly title: string;
  /** Present for a check that needs state, or an operation with an output, at the device. */
  readonly needs?: 'state' | 'output';
  run(device: Device): Promise<void>;
}

/** Returns a check that expects the outcome of one call. */
export function outcomeCheck(title: string, line: string, [expected, sent]: readonly [string, Sent?]): Check {
  return {
    title,
    async run({ outcome }) {
      assert.equal(await outcome(line, sent), expected);
    },
  };
}

/** Returns a check that expects the value of a resource. */
export function valueCheck(title: string, path: string, expected: unknown): Check {
  return {
    title,
    async run({ get }) {
      assert.deepEqual(await get(path), expected);
    },
  };
}

import assert from 'node:assert/strict';
import { headerOf, type UpstreamReply } from '../../src/core/adapter.js';
import { valueAt } from '../../src/core/pointer.js';
import { sendTo } from './send.js';

export const YANG = 'application/yang-data+json';
export const DATA = '/restconf/data';
export const LIST = `${DATA}/ietf-interfaces:interfaces`;
export const GIGABIT = `${LIST}/interface=GigabitEthernet0%2F1`;
export const RPC = '/restconf/operations/gatehouse-demo:restart-interface';

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly login?: string;
}

/** Creates one-line requests to the current server. */
export function clientOf(server: () => { readonly url: string }) {
  /** Sends `call('GET /path')` as admin:admin; a body has the media type of YANG data. */
  function call(line: string, { body, headers, login = 'admin:admin' }: Call = {}): Promise<UpstreamReply> {
    const [method = '', path = ''] = line.split(' ');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': YANG };
    const sent = body === undefined ? {} : { body: Buffer.from(text) };
    const request = { method, path, headers: { ...type, ...headers }, ...sent };
    return sendTo({ url: server().url, login })(request, AbortSignal.timeout(10_000));
  }

  function valueOf(reply: UpstreamReply, pointer = ''): unknown {
    return valueAt(JSON.parse(reply.body.toString()), pointer);
  }

  async function get(path: string, pointer = ''): Promise<unknown> {
    return valueOf(await call(`GET ${path}`), pointer);
  }

  /** Returns the status and the error-tag of a failed call, for example `404 invalid-value`. */
  async function errorOf(line: string, options?: Call): Promise<string> {
    const reply = await call(line, options);
    assert.equal(headerOf(reply.headers, 'content-type'), YANG);
    return `${reply.status} ${String(valueOf(reply, '/ietf-restconf:errors/error/0/error-tag'))}`;
  }

  return { call, get, errorOf, valueOf };
}

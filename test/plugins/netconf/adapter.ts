import assert from 'node:assert/strict';
import { plugin } from '../../../plugins/netconf/index.js';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import type { Adapter, RestCall, UpstreamReply } from '../../../src/core/adapter.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { valueAt } from '../../../src/json/pointer.js';
import type { NetconfServer } from '../../support/netconf-server.js';
import { contextFor } from '../send.js';

const YANG = 'application/yang-data+json';

/** A running adapter, with one-line calls. */
export interface TestAdapter {
  readonly adapter: Adapter;
  readonly lines: ReturnType<typeof contextFor>['lines'];
  /** Sends `call('GET /path')`; a body is JSON unless it is a text. */
  call(line: string, body?: unknown, signal?: AbortSignal): Promise<UpstreamReply>;
  /** Returns the value of a successful GET. */
  get(path: string, pointer?: string): Promise<unknown>;
  /** Returns the status of a call, and the error-tag and message of a failed one. */
  outcome(line: string, body?: unknown): Promise<string>;
  stop(): Promise<void>;
}

/** Returns options with their defaults, as the host passes them. */
export function optionsWith(options: Readonly<Record<string, unknown>>): NetconfOptions {
  const complete = structuredClone(options);
  const { violations } = compileSchema(plugin.options)(complete);
  assert.deepEqual(violations, []);
  return complete as unknown as NetconfOptions;
}

/** Returns the options for a server of the tests. */
export function optionsFor(
  server: NetconfServer,
  options: Readonly<Record<string, unknown>> = {},
): NetconfOptions {
  const { port, username, privateKey, fingerprint } = server;
  const ssh = { username, privateKey: privateKey.reveal(), hostKeys: [fingerprint] };
  const complete = optionsWith({ host: '127.0.0.1', port, ssh, ...options });
  return complete.ssh?.privateKey ? { ...complete, ssh: { ...complete.ssh, privateKey } } : complete;
}

/** Creates an adapter and starts it. */
export async function startAdapter(options: NetconfOptions): Promise<TestAdapter> {
  const { context, lines } = contextFor(() => Promise.reject(new Error('the plugin has a transport')));
  const adapter = plugin.create(options, context);
  await adapter.start?.(AbortSignal.timeout(40_000));

  function call(line: string, body?: unknown, signal = AbortSignal.timeout(30_000)): Promise<UpstreamReply> {
    const [method, path] = line.split(' ') as [RestCall['method'], string];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = body === undefined ? {} : { body: Buffer.from(text) };
    const kind = method === 'GET' ? 'query' : 'action';
    const [request] = adapter.translate({ kind, method, path, accept: YANG, ...sent });
    return adapter.send?.(request, signal) ?? Promise.reject(new Error('the adapter has no transport'));
  }

  return {
    adapter,
    lines,
    call,
    async get(path, pointer = '') {
      const reply = await call(`GET ${path}`);
      assert.equal(reply.status, 200, reply.body.toString());
      return valueAt(JSON.parse(reply.body.toString()), pointer);
    },
    async outcome(line, body) {
      const reply = await call(line, body);
      if (reply.status < 400) return String(reply.status);
      const error = valueAt(JSON.parse(reply.body.toString()), '/ietf-restconf:errors/error/0');
      const text = (name: string): string => {
        const value = valueAt(error, `/${name}`);
        return typeof value === 'string' ? value : '';
      };
      return `${reply.status} ${text('error-tag')}: ${text('error-message')}`;
    },
    stop: async () => adapter.stop?.(AbortSignal.timeout(5000)),
  };
}

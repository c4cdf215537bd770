import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plugin } from '../../../plugins/netconf/index.js';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import { type Adapter, headerOf, type RestCall, type UpstreamReply } from '../../../src/core/adapter.js';
import { Secret } from '../../../src/core/secret.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { valueAt, withValues } from '../../../src/json/pointer.js';
import { type NetconfServer, startNetconfServer } from '../../support/netconf-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { contextFor } from '../send.js';
import { DEVICE_MODULE } from './device-module.js';

const YANG = 'application/yang-data+json';

/** Headers of a call, and its signal. */
interface CallTerms {
  readonly accept?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** A running adapter, with one-line calls. */
export interface TestAdapter {
  readonly adapter: Adapter;
  readonly lines: ReturnType<typeof contextFor>['lines'];
  /** Sends `call('GET /path')`; a body is JSON unless it is a text. */
  call(line: string, body?: unknown, terms?: CallTerms): Promise<UpstreamReply>;
  /** Returns the value of a successful GET. */
  get(path: string, pointer?: string): Promise<unknown>;
  /** Returns the status of a call, and the error-tag and message of a failed one. */
  outcome(line: string, body?: unknown, terms?: CallTerms): Promise<string>;
  stop(): Promise<void>;
}

/** Returns options with their defaults and with secrets, as the host passes them. */
export function optionsWith(options: Readonly<Record<string, unknown>>): NetconfOptions {
  const complete = structuredClone(options);
  const { violations, secrets } = compileSchema(plugin.options)(complete);
  assert.deepEqual(violations, []);
  const wrapped = secrets.map(
    (pointer) => [pointer, new Secret(String(valueAt(complete, pointer)))] as const,
  );
  return withValues(complete, new Map(wrapped)) as NetconfOptions;
}

/** Returns the options for a server of the tests. */
export function optionsFor({ port, username, privateKey, fingerprint }: NetconfServer): NetconfOptions {
  const ssh = { username, privateKey: privateKey.reveal(), hostKeys: [fingerprint] };
  return optionsWith({ host: '127.0.0.1', port, ssh });
}

/** Starts netconfd with the module of the device. */
export function startDevice(target: 'candidate' | 'running' = 'candidate'): Promise<NetconfServer> {
  const module = join(temporaryFolder().path, 'test-device@2026-01-01.yang');
  writeFileSync(module, DEVICE_MODULE);
  return startNetconfServer({ target, modules: [module] });
}

/** Creates an adapter and starts it. */
export async function startAdapter(options: NetconfOptions): Promise<TestAdapter> {
  const { context, lines } = contextFor(() => Promise.reject(new Error('the plugin has a transport')));
  const adapter = plugin.create(options, context);
  await adapter.start?.(AbortSignal.timeout(40_000));

  function call(line: string, body?: unknown, { signal, ...terms }: CallTerms = {}): Promise<UpstreamReply> {
    const [method, path] = line.split(' ') as [RestCall['method'], string];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = body === undefined ? {} : { body: Buffer.from(text) };
    const kind = method === 'GET' ? 'query' : 'action';
    const [request] = adapter.translate({ kind, method, path, accept: YANG, ...terms, ...sent });
    const sending = adapter.send?.(request, signal ?? AbortSignal.timeout(30_000));
    return sending ?? Promise.reject(new Error('the adapter has no transport'));
  }

  /** Returns the content of a reply. */
  function contentOf({ headers, body }: UpstreamReply): unknown {
    assert.equal(headerOf(headers, 'content-type'), YANG);
    return JSON.parse(body.toString());
  }

  return {
    adapter,
    lines,
    call,
    async get(path, pointer = '') {
      const reply = await call(`GET ${path}`);
      assert.equal(reply.status, 200, reply.body.toString());
      return valueAt(contentOf(reply), pointer);
    },
    async outcome(line, body, terms) {
      const reply = await call(line, body, terms);
      if (reply.status < 400) return String(reply.status);
      const error = valueAt(contentOf(reply), '/ietf-restconf:errors/error/0');
      const text = (name: string): string => {
        const value = valueAt(error, `/${name}`);
        return typeof value === 'string' ? value : '';
      };
      return `${reply.status} ${text('error-tag')}: ${text('error-message')}`;
    },
    stop: async () => adapter.stop?.(AbortSignal.timeout(5000)),
  };
}

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Adapter, AdapterContext, AdapterPlugin, OutboundRequest } from '../../src/domain/adapter.js';
import type { Log } from '../../src/domain/log.js';
import { Problem } from '../../src/domain/problem.js';
import { optionFaults, resolvedOptions } from './adapter-options.js';
import { calls, replies } from './adapter-samples.js';

/** What the suite needs to know of a plugin beyond the plugin itself. */
export interface AdapterContractCase {
  /** Absolute path of the folder with README.md and CHANGELOG.md. */
  readonly folder: string;
  /** Options as an operator writes them; they must be valid. */
  readonly options: unknown;
  /** Options that the schema must refuse. */
  readonly badOptions: readonly unknown[];
}

/** The promises that every adapter plugin keeps, whatever it speaks (plugins/README.md). */
export function adapterContract(plugin: AdapterPlugin, example: AdapterContractCase): void {
  describe(`adapter contract of ${plugin.type}`, () => {
    folderPromises(plugin, example.folder);
    optionPromises(plugin, example);
    requestPromises(plugin, example.options);
    replyPromises(plugin, example.options);
    startPromises(plugin, example.options);
  });
}

function folderPromises(plugin: AdapterPlugin, folder: string): void {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');

  it('has the name of its folder, a version of the contract, and a sentence about itself', () => {
    assert.equal(plugin.type, basename(folder));
    assert.match(plugin.type, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
    assert.equal(plugin.apiVersion, 1);
    assert.match(plugin.summary, /^\S.*\.$/);
  });

  it('documents every option and shows an adapter file whose options are valid', () => {
    const readme = text('README.md');
    for (const option of Object.keys(propertiesOf(plugin)))
      assert.ok(readme.includes(`\`${option}\``), option);
    const yaml = /^## Example$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(readme)?.[1];
    assert.ok(yaml, 'README.md has no yaml block below "## Example"');
    const file = parse(yaml) as Record<string, unknown>;
    assert.equal(file['plugin'], plugin.type);
    assert.equal(typeof file['baseUrl'], 'string');
    assert.deepEqual(optionFaults(plugin, file['options'] ?? {}), []);
  });

  it('has a changelog of versions with bullets', () => {
    assert.ok(existsSync(join(folder, 'CHANGELOG.md')));
    assert.match(text('CHANGELOG.md'), /^## \d+\.\d+\.\d+\n\n- \S/m);
  });
}

function optionPromises(plugin: AdapterPlugin, { options, badOptions }: AdapterContractCase): void {
  it('has a strict schema of its options', () => {
    assert.equal(plugin.options['type'], 'object');
    assert.equal(plugin.options['additionalProperties'], false);
    assert.deepEqual(optionFaults(plugin, options), []);
    assert.notDeepEqual(optionFaults(plugin, { ...(options as object), 'no such option': 1 }), []);
  });

  it('refuses bad options', () => {
    for (const bad of badOptions) assert.notDeepEqual(optionFaults(plugin, bad), [], JSON.stringify(bad));
  });

  it('is created without a socket, a timer or a request', () => {
    const before = process.getActiveResourcesInfo().sort();
    const { context, requests } = recordingContext();
    plugin.create(resolvedOptions(plugin, options), context);
    assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
    assert.deepEqual(requests, []);
  });
}

// What the host sets itself: credentials, target, framing, and the headers of one connection.
const HOST_HEADERS = [
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'content-length', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
];

function requestPromises(plugin: AdapterPlugin, options: unknown): void {
  it('translates every call the same way each time, without a socket, and leaves the call as it was', () => {
    const { adapter, requests } = created(plugin, options);
    const before = process.getActiveResourcesInfo().sort();
    fc.assert(
      fc.property(calls, (call) => {
        const copy = structuredClone(call);
        const first = adapter.translate(call);
        assert.deepEqual(adapter.translate(call), first);
        assert.deepEqual(structuredClone(call), copy);
        assert.ok(first.length > 0);
      }),
    );
    assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
    assert.deepEqual(requests, []);
  });

  it('makes requests that the host can send: below the base URL, headers well-formed, none of the host’s own', () => {
    const { adapter } = created(plugin, options);
    fc.assert(
      fc.property(calls, (call) => {
        adapter.translate(call).forEach(assertSendable);
      }),
    );
  });
}

function assertSendable({ method, path, headers, body }: OutboundRequest): void {
  assert.match(method, /^[A-Z]+$/);
  assert.match(path, /^\//);
  for (const [name, value] of Object.entries(headers)) {
    assert.match(name, /^[!#$%&'*+.^_`|~0-9a-z-]+$/, 'header names are lower-case tokens');
    assert.match(value, /^[\t -~]*$/);
    assert.ok(!HOST_HEADERS.includes(name), name);
  }
  assert.equal('content-type' in headers, body !== undefined);
}

function replyPromises(plugin: AdapterPlugin, options: unknown): void {
  it('explains any bytes without throwing: in words, or not at all', () => {
    const { adapter } = created(plugin, options);
    fc.assert(
      fc.property(replies, (reply) => {
        const copy = structuredClone(reply);
        const complaint = adapter.explain?.(reply);
        assert.deepEqual(adapter.explain?.(reply), complaint);
        assert.deepEqual(structuredClone(reply), copy);
        assert.notEqual(complaint?.detail, '');
      }),
    );
  });

  it('shapes any bytes without throwing, into JSON', () => {
    const { adapter } = created(plugin, options);
    fc.assert(
      fc.property(calls, replies, (call, reply) => {
        if (!adapter.shape) return;
        const value = adapter.shape(call, reply);
        assert.deepEqual(adapter.shape(call, reply), value);
        assert.notEqual(JSON.stringify(value), undefined);
      }),
    );
  });
}

function startPromises(plugin: AdapterPlugin, options: unknown): void {
  it('starts and stops, or fails to, in bounded time when nobody answers', async () => {
    const { adapter, requests } = created(plugin, options);
    const problem = new Problem('upstream_unreachable', 'nobody there');
    const outcome = await adapter.start?.(AbortSignal.timeout(5000)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (requests.length > 0) assert.equal(outcome instanceof Problem && outcome.code, problem.code);
    requests.forEach(assertSendable);
    await adapter.stop?.(AbortSignal.timeout(5000));
  });
}

function created(plugin: AdapterPlugin, options: unknown): { adapter: Adapter; requests: OutboundRequest[] } {
  const { context, requests } = recordingContext();
  return { adapter: plugin.create(resolvedOptions(plugin, options), context), requests };
}

/** A context whose way out leads nowhere, and which keeps what was tried. */
function recordingContext(): { context: AdapterContext; requests: OutboundRequest[] } {
  const requests: OutboundRequest[] = [];
  const send = (request: OutboundRequest) => {
    requests.push(request);
    return Promise.reject(new Problem('upstream_unreachable', 'nobody there'));
  };
  return { context: { name: 'contract', log: silentLog, send }, requests };
}

const say = () => undefined;
const silentLog: Log = {
  ...{ error: say, warn: say, info: say, debug: say, trace: say, spam: say },
  with: () => silentLog,
};

function propertiesOf(plugin: AdapterPlugin): object {
  return plugin.options['properties'] ?? {};
}

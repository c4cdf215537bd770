import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import type {
  AdapterPlugin,
  OutboundRequest,
  RestCall,
  UpstreamReply,
  Adapter,
  AdapterContext,
} from '../../core/adapter.js';
import { silentLog } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema } from '../../core/schema.js';
import { Secret } from '../../core/secret.js';
import { valueAt, withValues } from '../../json/pointer.js';
import { assertFixedHeaders, assertMethods, assertPaging } from './adapter-answers.js';
import { registerFuzzTests } from './fuzz-tests.js';
import { SAMPLE_CALLS, SAMPLE_REPLIES } from './samples.js';

/** Test runner: `describe` and `it` of mocha, `node:test` or another runner. */
export interface ContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void | Promise<void>) => unknown;
}

/** Data that the contract needs in addition to the plugin. */
export interface ContractCase {
  /** Absolute path of the folder with README.md and CHANGELOG.md. */
  readonly folder: string;
  /** Options as an operator writes them; they must be valid. */
  readonly options: unknown;
  /** Options that the schema must reject. */
  readonly badOptions: readonly unknown[];
  /** Further calls to translate. */
  readonly calls?: readonly RestCall[];
  /** Further replies to shape and to explain. */
  readonly replies?: readonly UpstreamReply[];
  /** Seed of the generated calls and replies; default: 1, so that each run tries the same inputs. */
  readonly seed?: number;
  /** Default: the global `describe` and `it`. */
  readonly runner?: ContractRunner;
}

/** The plugin under test, with its test data and the functions of the host. */
interface Subject extends Required<Omit<ContractCase, 'runner'>> {
  readonly plugin: AdapterPlugin;
  readonly tools: ContractTools;
}

type It = ContractRunner['it'];

/** Registers the contract of a plugin with the runner, as one group of tests. */
export function registerContract(plugin: AdapterPlugin, example: ContractCase, tools: ContractTools): void {
  const { describe, it } = example.runner ?? globalThis;
  const calls = [...SAMPLE_CALLS, ...(example.calls ?? [])];
  const replies = [...SAMPLE_REPLIES, ...(example.replies ?? [])];
  const { seed = 1 } = example;
  const subject: Subject = { ...example, calls, replies, seed, plugin, tools };
  describe(`adapter contract of ${plugin.type}`, () => {
    registerFolderTests(subject, it);
    registerOptionTests(subject, it);
    registerRequestTests(subject, it);
    registerReplyTests(subject, it);
    registerGeneratedTests(subject, example.replies ?? [], it);
    registerStartTests(subject, it);
    registerStreamTests(subject, it);
  });
}

function registerFolderTests({ plugin, folder, tools }: Subject, it: It): void {
  const text = (name: string): string => tools.readText(join(folder, name));

  it('has the name of its folder, a contract version and a one-sentence summary', () => {
    assert.equal(plugin.type, basename(folder));
    assert.match(plugin.type, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
    assert.equal(plugin.apiVersion, 1);
    assert.match(plugin.summary, /^\S.*\.$/);
  });

  it('documents every option and shows an adapter file whose options are valid', () => {
    const readme = text('README.md');
    for (const option of Object.keys(plugin.options['properties'] ?? {}))
      assert.ok(readme.includes(`\`${option}\``), `README.md does not mention the option ${option}`);
    const yaml = /^## Example$[\s\S]*?^```yaml\r?\n([\s\S]*?)^```$/m.exec(readme)?.[1];
    assert.ok(yaml, 'README.md has no yaml block below "## Example"');
    const file = tools.parseYaml(yaml) as Readonly<Record<string, unknown>> | undefined;
    assert.equal(file?.['plugin'], plugin.type);
    assert.equal(typeof file['baseUrl'], 'string');
    assert.deepEqual(optionViolations(plugin, file['options'] ?? {}, tools), []);
  });

  it('has a changelog of versions with bullets', () => {
    assert.match(text('CHANGELOG.md'), /^## \d+\.\d+\.\d+\r?\n\r?\n- \S/m);
  });
}

function registerOptionTests({ plugin, options, badOptions, tools }: Subject, it: It): void {
  it('has a strict schema for its options', () => {
    assert.equal(plugin.options['type'], 'object');
    assert.equal(plugin.options['additionalProperties'], false);
    assert.deepEqual(optionViolations(plugin, options, tools), []);
    assert.notDeepEqual(optionViolations(plugin, { ...(options as object), 'no such option': 1 }, tools), []);
  });

  it('rejects invalid options', () => {
    for (const bad of badOptions)
      assert.notDeepEqual(optionViolations(plugin, bad, tools), [], JSON.stringify(bad));
  });

  it('is created without a socket, a timer or a request', () => {
    const before = process.getActiveResourcesInfo().sort();
    const { context, requests } = createRecordingContext();
    plugin.create(resolvedOptions(plugin, options, tools), context);
    assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
    assert.deepEqual(requests, []);
  });
}

/** Headers that only the host may set: credentials, target, framing, and connection headers. */
const HEADERS_OF_HOST = [
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'content-length', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
];

function registerRequestTests({ plugin, options, calls, tools }: Subject, it: It): void {
  it('translates a call to the same requests each time, without a socket and without changing the call', () => {
    const { adapter, requests } = createAdapter(plugin, options, tools);
    const before = process.getActiveResourcesInfo().sort();
    for (const call of calls) {
      const copy = structuredClone(call);
      const first = adapter.translate(call);
      assert.deepEqual(adapter.translate(call), first);
      assert.deepEqual(structuredClone(call), copy);
      assert.ok(first.length > 0, 'a call becomes at least one request');
    }
    assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
    assert.deepEqual(requests, []);
  });

  it('creates requests that the host can send: below the base URL, with valid headers that the host does not set', () => {
    const { adapter } = createAdapter(plugin, options, tools);
    for (const call of calls) adapter.translate(call).forEach(assertSendable);
  });

  it('has methods and a function that calls them, or neither', () => {
    const { adapter } = createAdapter(plugin, options, tools);
    assert.equal(adapter.methods === undefined, adapter.callMethod === undefined);
  });

  it('has methods with unique names and schemas that compile, the same objects each time', async () => {
    await assertMethods(createAdapter(plugin, options, tools).adapter, tools.compile);
  });

  it('divides a list into pages in the same way each time, by a rule that the host can follow, if it has `paging`', () => {
    const { adapter, requests } = createAdapter(plugin, options, tools);
    assertPaging(adapter, calls);
    assert.deepEqual(requests, []);
  });

  it('returns as fixed headers those that all of its requests have', () => {
    assertFixedHeaders(createAdapter(plugin, options, tools).adapter, calls);
  });
}

function assertSendable({ method, path, headers, body }: OutboundRequest): void {
  assert.match(method, /^[A-Z]+$/);
  assert.match(path, /^\//);
  for (const [name, value] of Object.entries(headers)) {
    assert.match(name, /^[!#$%&'*+.^_`|~0-9a-z-]+$/, 'header names are lower-case tokens');
    assert.match(value, /^[\t -~]*$/);
    assert.ok(!HEADERS_OF_HOST.includes(name), `only the host may set the header ${name}`);
  }
  assert.equal('content-type' in headers, body !== undefined, 'a body and a content-type come together');
}

function registerReplyTests({ plugin, options, calls, replies, tools }: Subject, it: It): void {
  it('explains any reply without throwing, with a text or not at all', () => {
    const { adapter } = createAdapter(plugin, options, tools);
    for (const reply of replies) {
      const copy = structuredClone(reply);
      const explanation = adapter.explain?.(reply);
      assert.deepEqual(adapter.explain?.(reply), explanation);
      assert.deepEqual(structuredClone(reply), copy);
      assert.notEqual(explanation?.detail, '');
    }
  });

  it('shapes any reply into JSON without throwing', () => {
    const { adapter } = createAdapter(plugin, options, tools);
    for (const [at, reply] of replies.entries()) {
      const call = calls[at % calls.length];
      if (!adapter.shape || !call) return;
      const value = adapter.shape(call, reply);
      assert.deepEqual(adapter.shape(call, reply), value);
      assert.notEqual(JSON.stringify(value), undefined);
    }
  });
}

function registerGeneratedTests(subject: Subject, replies: readonly UpstreamReply[], it: It): void {
  const { plugin, options, tools, folder, seed } = subject;
  const create = (): Adapter => createAdapter(plugin, options, tools).adapter;
  const source = `${String(Reflect.get(plugin, 'create'))}\n${tools.readSources(folder)}`;
  registerFuzzTests({ createAdapter: create, source, replies, seed, assertSendable }, it);
}

function registerStartTests({ plugin, options, tools }: Subject, it: It): void {
  it('starts and stops, or fails, in bounded time if the orchestrator does not answer', async () => {
    const { adapter, requests } = createAdapter(plugin, options, tools);
    const startError: unknown = await adapter.start?.(AbortSignal.timeout(5000)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (requests.length > 0)
      assert.equal(startError instanceof Problem && startError.code, 'upstream_unreachable');
    requests.forEach(assertSendable);
    await adapter.stop?.(AbortSignal.timeout(5000));
  });
}

function registerStreamTests({ plugin, options, tools }: Subject, it: It): void {
  it('has streams only with a transport of its own, and refuses one in bounded time if nothing answers', async () => {
    const { adapter } = createAdapter(plugin, options, tools);
    if (!adapter.openStream) return;
    assert.ok(adapter.send !== undefined, 'openStream needs send');
    const request = { method: 'GET', path: '/streams/contract', headers: {} };
    const outcome: unknown = await adapter.openStream(request, AbortSignal.timeout(5000)).then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    assert.ok(
      outcome instanceof Problem || Number(outcome) >= 400,
      'the stream is refused with a Problem or a status',
    );
    await adapter.stop?.(AbortSignal.timeout(5000));
  });
}

/** Functions of the host that the contract uses. */
interface ContractTools {
  readonly compile: CompileSchema;
  /** Returns the text of a file; throws if the file does not exist. */
  readonly readText: (file: string) => string;
  /** Returns the text of the modules in the folder of a plugin, without its tests and packages. */
  readonly readSources: (folder: string) => string;
  /** Parses a YAML text; `undefined` for invalid YAML. */
  readonly parseYaml: (text: string) => unknown;
}

/** Returns the schema violations of options as an operator writes them; empty if the options are valid. */
function optionViolations(
  plugin: AdapterPlugin,
  options: unknown,
  { compile }: ContractTools,
): readonly unknown[] {
  return compile(plugin.options)(structuredClone(options)).violations;
}

/**
 * Returns the options as the host passes them: with defaults, and with strings marked `x-secret` as `Secret`.
 */
function resolvedOptions(plugin: AdapterPlugin, options: unknown, { compile }: ContractTools): unknown {
  const written = structuredClone(options);
  const { secrets } = compile(plugin.options)(written);
  return withValues(written, new Map(secrets.map((at) => [at, new Secret(String(valueAt(written, at)))])));
}

/** Creates an adapter of the plugin. Also returns the requests that the adapter tried to send. */
function createAdapter(
  plugin: AdapterPlugin,
  options: unknown,
  tools: ContractTools,
): { readonly adapter: Adapter; readonly requests: readonly OutboundRequest[] } {
  const { context, requests } = createRecordingContext();
  return { adapter: plugin.create(resolvedOptions(plugin, options, tools), context), requests };
}

/** Creates a context that records each request and rejects it. */
function createRecordingContext(): {
  readonly context: AdapterContext;
  readonly requests: readonly OutboundRequest[];
} {
  const requests: OutboundRequest[] = [];
  const send = (request: OutboundRequest): Promise<never> => {
    requests.push(request);
    return Promise.reject(new Problem('upstream_unreachable', 'the orchestrator does not answer'));
  };
  const connect = (): Promise<never> => send({ method: 'CONNECT', path: '/', headers: {} });
  return { context: { name: 'contract', log: silentLog, send, connect, starts: FREE_SLOTS }, requests };
}

/** Slots that are always free. */
const FREE_SLOTS: AdapterContext['starts'] = {
  timeoutMs: 10_000,
  takeSlot: () => Promise.resolve(() => undefined),
};

import assert from 'node:assert/strict';
import type { AdapterMethod } from '../../../src/core/adapter-method.js';
import type { BoundOperation } from '../../../src/core/operation.js';
import { Problem } from '../../../src/core/problem.js';
import { listTools } from '../../../src/features/mcp/call-tool.js';
import { createMethodTools } from '../../../src/features/mcp/method-tools.js';
import { toolName, toolPrefix } from '../../../src/features/mcp/offered-methods.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { policyWith } from '../../support/policy-with.js';

const method = (name: string, input = {}): AdapterMethod => ({
  name,
  summary: 'One.',
  effect: 'read',
  input: { type: 'object', ...input },
});
const methods = (count: number) => Array.from({ length: count }, (_, at) => method(`m${at}`));
const SEARCH = ['find_methods', 'call_method'];
const signal = new AbortController().signal;

/** Creates the tools of adapters, each with its methods or the promise of them. */
function toolsOf(adapters: Readonly<Record<string, readonly AdapterMethod[] | Promise<never>>>) {
  const clock = createFakeScheduler();
  const tools = createMethodTools({
    settings: { adapters: ['*'], actions: 'refused' },
    clock,
    policies: () => new Map(Object.keys(adapters).map((id) => [id, policyWith()])),
    listMethods: (id) => Promise.resolve(adapters[id] ?? []),
    call: { name: 'adapters.callAdapterMethod' } as BoundOperation,
    methodArguments: (_method, body) => body,
  });
  const names = async () => (await tools.list(undefined, signal)).map(({ description: { name } }) => name);
  return { tools, clock, names };
}

describe('the tools of methods', () => {
  it('are one for each method up to 100 of an adapter, and two that search and call for more', async () => {
    assert.equal((await toolsOf({ a: methods(100), b: methods(3) }).names()).length, 103);
    const names = await toolsOf({ a: methods(101), b: methods(1) }).names();
    assert.deepEqual(names, ['b__m0', ...SEARCH]);
  });

  it('are searched if their schemas fill the memory of an agent, or the names of arguments are refused by models', async () => {
    const large = { properties: { a: { description: 'x'.repeat(300_000) } } };
    assert.deepEqual(await toolsOf({ a: [method('large', large)] }).names(), SEARCH);
    const named = { properties: { 'filter[name]': {} } };
    assert.deepEqual(await toolsOf({ a: [method('odd', named), method('m')] }).names(), ['a__m', ...SEARCH]);
  });

  it('are those of the other adapters while one does not answer, or has stopped', async () => {
    const stopped = Promise.reject(new Problem('adapter_unavailable', 'stopped'));
    const { names, clock } = toolsOf({ silent: new Promise(() => undefined), stopped, b: methods(1) });
    const listed = names();
    await clock.pass(5000);
    assert.deepEqual(await listed, ['b__m0']);
  });

  it('keep a change out if actions are refused, also by its name', async () => {
    const { names, tools } = toolsOf({ a: [{ ...method('set'), effect: 'change' }] });
    assert.deepEqual(await names(), []);
    assert.equal(await tools.find('a__set', {}, signal), undefined);
    const called = await tools.find('call_method', { adapter: 'a', method: 'set' }, signal);
    assert.throws(() => called?.operation.handle({} as never), /offers agents no method "set"/);
  });

  it('come in pages, each after the cursor of the one before', async () => {
    const adapters = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, methods(100)]));
    const deps = { tools: new Map(), methodTools: toolsOf(adapters).tools, rolesOf: () => 'public' as const };
    const page = (cursor?: string) => listTools(deps, { principal: undefined }, { cursor, signal });
    const first = await page();
    const second = await page(first?.nextCursor);
    assert.deepEqual([first?.tools.length, first?.nextCursor], [200, 'b__m99']);
    assert.deepEqual([second?.tools.length, second?.tools[0]?.name], [200, 'c__m0']);
    assert.equal(second?.nextCursor, undefined);
    assert.equal(await page('gone'), undefined);
  });
});

describe('toolName', () => {
  it('is short, has only characters that clients accept, and differs for names that look alike', () => {
    const [x, y] = ['x'.repeat(256), 'y'.repeat(255)];
    const pairs: readonly (readonly [string, string])[] = [
      ['a', 'b__c'], ['a__b', 'c'], ['a_', '_c'], ['a', '__c'], ['a.b', 'c'], ['a b', 'c'],
      ['nso1.example.com', 'get device'], ['nso1_example_com', 'get_device'], ['nso1_example_com', 'get.device'],
      [x, `${y}y`], [x, `${y}z`], ['ä', '🚀'],
    ]; // prettier-ignore
    const names = pairs.map(([adapter, name]) => toolName(adapter, name));
    assert.equal(new Set(names).size, pairs.length);
    for (const [at, name] of names.entries()) {
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.ok(name.startsWith(toolPrefix(pairs[at]?.[0] ?? '')));
    }
    assert.equal(toolName('core1', 'getDevice'), 'core1__getDevice');
  });
});

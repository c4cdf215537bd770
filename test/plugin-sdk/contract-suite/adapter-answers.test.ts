import assert from 'node:assert/strict';
import type { AdapterMethod } from '../../../src/core/adapter-method.js';
import type { Adapter } from '../../../src/core/adapter.js';
import type { PagingBounds, PagingRule } from '../../../src/core/paging.js';
import { Problem } from '../../../src/core/problem.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { assertMethods, assertPaging } from '../../../src/plugin-sdk/contract-suite/adapter-answers.js';
import { SAMPLE_CALLS } from '../../../src/plugin-sdk/contract-suite/samples.js';

const check = (rule: PagingRule, bounds?: Partial<PagingBounds>): void => {
  const paging: Adapter['paging'] = () => ({ rule, ...(bounds && { bounds }) });
  assertPaging({ paging }, SAMPLE_CALLS);
};

describe('the contract of `paging`', () => {
  it('permits each rule that leads to a next page, and no paging', () => {
    assertPaging({}, SAMPLE_CALLS);
    assertPaging({ paging: () => undefined }, SAMPLE_CALLS);
    check({ by: 'link' });
    check({ by: 'next', items: '/a', at: '/b' }, { maxItems: 1 });
    check({ by: 'header', at: 'x-next', parameter: 'p' });
  });

  it('refuses a rule without what it needs, a pointer that is none, limits of 0, and another answer to the same path', () => {
    for (const [rule, message] of [
      [{ by: 'next' }, /needs "at"/],
      [{ by: 'cursor', at: '/a' }, /needs "parameter"/],
      [{ by: 'link', items: 'results' }, /begins with/],
      [{ by: 'guess' as 'link' }, /leads to no next page/],
    ] as const)
      assert.throws(() => {
        check(rule);
      }, message);
    assert.throws(() => {
      check({ by: 'link' }, { maxPages: 0 });
    }, /above 0/);
    let first = 0;
    const paging: Adapter['paging'] = () => ({ rule: { by: 'page', parameter: 'p', first: (first += 1) } });
    assert.throws(() => {
      assertPaging({ paging }, SAMPLE_CALLS);
    });
  });
});

describe('assertMethods', () => {
  const METHOD: AdapterMethod = { name: 'one', summary: 'One.', input: { type: 'object', properties: {} } };
  const check = (...methods: readonly object[]) =>
    assertMethods({ methods: () => Promise.resolve(methods as AdapterMethod[]) }, compileSchema);

  it('accepts methods with schemas, none, and an adapter that was not started', async () => {
    await check(METHOD, { ...METHOD, name: 'two', effect: 'read', tags: ['a'] });
    await check();
    await assertMethods({}, compileSchema);
    const stopped = () => Promise.reject(new Problem('adapter_unavailable', 'not started'));
    await assertMethods({ methods: stopped }, compileSchema);
  });

  it('rejects a name that occurs twice, a schema that does not compile or is too deep, an unknown effect, and new objects', async () => {
    let deep = {};
    for (let level = 0; level < 101; level += 1) deep = { items: deep };
    const faulty = [
      [METHOD, { ...METHOD }],
      [{ ...METHOD, input: { type: 'objekt' } }],
      [{ ...METHOD, input: { type: 'object', properties: { deep } } }],
      [{ ...METHOD, input: { type: 'object', properties: [] } }],
      [{ ...METHOD, effect: 'write' }],
      [{ ...METHOD, name: 'a\u0007b' }],
    ];
    for (const methods of faulty) await assert.rejects(check(...methods));
    await assert.rejects(
      assertMethods({ methods: () => Promise.resolve([{ ...METHOD }]) }, compileSchema),
      /same object/,
    );
  });
});

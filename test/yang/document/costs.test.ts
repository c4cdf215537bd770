import assert from 'node:assert/strict';
import { bodyCheckOf } from '../../support/yang.js';

/** Documents and rules that a careless validator needs quadratic time for, or worse. */
describe('the cost of a validation', () => {
  it('ends with the name of the rule if the rule takes too many steps', () => {
    const check = bodyCheckOf(
      'container c { must "count(.//*[count(..//*[. = current()//l]) > 0]) > 0"; leaf-list l { type int32; } }',
    );
    const l = Array.from({ length: 2000 }, (_, at) => at);
    assert.throws(
      () => check({ 'a:c': { l } }),
      /Checking must "count\(\.\/\/\*.*" takes more than 20000000 steps/,
    );
  });

  it('evaluates `//*[//*[//*]]` in linear time', () => {
    const check = bodyCheckOf('container c { must "count(//*[//*[//*]]) > 0"; leaf-list l { type int32; } }');
    assert.deepEqual(check({ 'a:c': { l: Array.from({ length: 6_000 }, (_, at) => at) } }), []);
  });

  it('evaluates an absolute path once for all nodes', () => {
    const check = bodyCheckOf('leaf-list l { type int32; must "count(/a:l) > 1"; }');
    assert.deepEqual(check({ 'a:l': Array.from({ length: 10_000 }, (_, at) => at) }), []);
  });

  it('validates 100,000 list entries', () => {
    const check = bodyCheckOf('list l { key k; leaf k { type int32; must ". >= 0"; } }');
    assert.deepEqual(check({ 'a:l': Array.from({ length: 100_000 }, (_, k) => ({ k })) }), []);
  });

  it('finds the instances of 10,000 leafrefs by an index, also with predicates', () => {
    const check = bodyCheckOf(`list l { key k; leaf k { type int32; } leaf v { type int32; } }
         list r { key k; leaf k { type leafref { path "/a:l/a:k"; } }
           leaf v { type leafref { path "/a:l[a:k=current()/../a:k]/a:v"; } } }`);
    const entries = Array.from({ length: 10_000 }, (_, k) => ({ k, v: k }));
    assert.deepEqual(check({ 'a:l': entries, 'a:r': entries }), []);
  });

  it('finds the instances of 8,000 instance-identifiers by an index', () => {
    const check = bodyCheckOf(
      'list l { key k; leaf k { type int32; } } leaf-list r { type instance-identifier; }',
    );
    const keys = Array.from({ length: 8_000 }, (_, k) => k);
    const document = { 'a:l': keys.map((k) => ({ k })), 'a:r': keys.map((k) => `/a:l[k='${k}']`) };
    assert.deepEqual(check(document), []);
  });

  it('limits the number of nodes, and counts defaults', () => {
    const check = bodyCheckOf('list l { key k; leaf k { type int32; } leaf d { type int8; default 1; } }', {
      limits: { nodes: 250 },
    });
    assert.deepEqual(check({ 'a:l': Array.from({ length: 80 }, (_, k) => ({ k })) }), []);
    assert.throws(
      () => check({ 'a:l': Array.from({ length: 90 }, (_, k) => ({ k })) }),
      /more than 250 nodes/,
    );
  });

  it('limits chains of conditions that depend on each other', () => {
    const leaves = Array.from(
      { length: 400 },
      (_, at) => `leaf x${at} { when "../x${at + 1}"; type int8; default 1; }`,
    );
    const check = bodyCheckOf(`container c { ${leaves.join(' ')} leaf x400 { type int8; } }`);
    assert.throws(() => check({}), /exceeds a nesting of 200 levels/);
  });

  it('ends for conditions that depend on each other in a circle', () => {
    const check = bodyCheckOf(
      'container c { leaf x { when "../y"; type int8; default 1; } leaf y { when "../x"; type int8; default 1; } }',
    );
    assert.deepEqual(check({}), []);
  });

  it('counts the length of the texts that an expression builds', () => {
    const twice = (text: string, times: number): string =>
      times === 0 ? text : twice(`concat(${text},${text})`, times - 1);
    const check = bodyCheckOf(`leaf l { type string; must "string-length(${twice('.', 12)}) > 0"; }`);
    assert.throws(() => check({ 'a:l': 'x'.repeat(200_000) }), /takes more than 20000000 steps/);
  });
});

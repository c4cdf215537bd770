import assert from 'node:assert/strict';
import { bodyCheckOf, documentCheckOf, yang11 } from '../../support/yang.js';

describe('the validation of when', () => {
  it('refuses a node whose condition is false, and names the condition', () => {
    const check = bodyCheckOf(
      'container c { leaf mode { type string; } leaf x { when "../mode = \'on\'"; type string; } }',
    );
    assert.deepEqual(check({ 'a:c': { mode: 'on', x: '1' } }), []);
    assert.deepEqual(check({ 'a:c': { mode: 'off', x: '1' } }), [
      '/a:c/x is only allowed when "../mode = \'on\'"',
    ]);
  });

  it('does not check a condition with a pattern that cannot be used, and refuses what an invalid one decides', () => {
    const check = bodyCheckOf(`container c {
           leaf x { must "re-match(., '(?=a)a.*')"; type string; }
           leaf y { must "re-match(., '(')"; type string; }
         }`);
    assert.deepEqual(check({ 'a:c': { x: 'b' } }), []);
    assert.equal(check({ 'a:c': { y: 'b' } }).length, 1);
  });

  it('uses the target as the context of the condition of an augment', () => {
    const check = documentCheckOf([
      yang11('a', 'container c { leaf mode { type string; } }'),
      yang11('b', 'import a { prefix a; } augment /a:c { when "a:mode = \'on\'"; leaf x { type string; } }'),
    ]);
    assert.deepEqual(check({ 'a:c': { mode: 'on', 'b:x': '1' } }), []);
    assert.equal(check({ 'a:c': { mode: 'off', 'b:x': '1' } }).length, 1);
  });

  it('uses the parent as the context of the condition of a uses, a choice and a case', () => {
    const check = bodyCheckOf(`grouping g { leaf y { type string; } }
         container c {
           leaf mode { type string; }
           uses g { when "mode = 'on'"; }
           choice h { when "mode != 'none'"; case k { when "mode != 'off'"; leaf z { type string; } } }
         }`);
    assert.deepEqual(check({ 'a:c': { mode: 'on', y: '1', z: '1' } }), []);
    assert.equal(check({ 'a:c': { mode: 'off', z: '1' } }).length, 1);
    assert.equal(check({ 'a:c': { mode: 'none', z: '1' } }).length, 1);
    assert.equal(check({ 'a:c': { mode: 'x', y: '1' } }).length, 1);
  });

  it('adds no default whose condition is false, also if other conditions depend on the default', () => {
    const check = bodyCheckOf(`container c {
           leaf third { when "../second = 'd'"; type string; }
           leaf second { when "../first"; type string; default d; }
           leaf first { type empty; }
         }`);
    assert.deepEqual(check({ 'a:c': { first: [null], third: 'x' } }), []);
    assert.deepEqual(check({ 'a:c': { third: 'x' } }), [
      '/a:c/third is only allowed when "../second = \'d\'"',
    ]);
  });

  it('requires a mandatory node only if its condition is true', () => {
    const check = bodyCheckOf(
      'container c { leaf mode { type string; default on; } leaf x { when "../mode = \'on\'"; type string; mandatory true; } }',
    );
    assert.deepEqual(check({}), ['/a:c/x is mandatory, and is missing']);
    assert.deepEqual(check({ 'a:c': { mode: 'off' } }), []);
  });
});

describe('the validation of must', () => {
  it('reports the expression and its error-message, with its error-app-tag', () => {
    const check = bodyCheckOf(
      'container c { leaf mtu { type uint16; must ". >= 68" { error-message "An MTU is at least 68."; error-app-tag small; } } }',
    );
    assert.deepEqual(check({ 'a:c': { mtu: 67 } }), [
      '/a:c/mtu violates must ". >= 68": An MTU is at least 68.',
    ]);
    assert.deepEqual(check({ 'a:c': { mtu: 68 } }), []);
  });

  it('applies to containers without presence and to defaults that the document leaves out', () => {
    const check = bodyCheckOf('container c { must "x = 1"; leaf x { type int8; default 2; } }');
    assert.deepEqual(check({}), ['/a:c violates must "x = 1"']);
    assert.deepEqual(check({ 'a:c': { x: 1 } }), []);
  });

  it('negates as often as the expression says (bug: ---1 was 1)', () => {
    const check = bodyCheckOf(
      'leaf l { type int8; must "--1 = 1 and ---1 = -1 and ----1 = 1 and -----1 = -1"; }',
    );
    assert.deepEqual(check({ 'a:l': 1 }), []);
  });

  it('compares an identityref with a literal by the prefixes of the module', () => {
    const check = documentCheckOf([
      yang11('t', 'identity kind; identity ether { base kind; } identity fast { base ether; }'),
      yang11(
        'a',
        `import t { prefix types; }
         container c { must "kind = 'types:ether' or derived-from(kind, 'types:ether')"; leaf kind { type identityref { base types:kind; } } }`,
      ),
    ]);
    assert.deepEqual(check({ 'a:c': { kind: 't:ether' } }), []);
    assert.deepEqual(check({ 'a:c': { kind: 't:fast' } }), []);
    assert.equal(check({ 'a:c': {} }).length, 1);
  });
});

import assert from 'node:assert/strict';
import { bodyCheckOf, documentCheckOf, yang11, yang10 } from '../../support/yang.js';

/** A document with the list `l` of these entries. */
const l = (...entries: readonly object[]) => ({ 'a:l': entries });

describe('the validation of the structure of a document', () => {
  it('counts defaults for unique (RFC 7950 7.8.3)', () => {
    const check = bodyCheckOf(
      'list l { key k; unique a; leaf k { type int8; } leaf a { type string; default d; } }',
    );
    assert.deepEqual(check(l({ k: 1 }, { k: 2 })), ['/a:l/1 must differ from entry 0 in its unique "a"']);
    assert.deepEqual(check(l({ k: 1 }, { k: 2, a: 'x' })), []);
  });

  it('lets values of a leaf-list be equal in state data of YANG 1.1 only (RFC 6020 7.7)', () => {
    const body = 'container s { config false; leaf-list t { type uint32; } }';
    const check = (text: string) => documentCheckOf([text], { content: 'all' })({ 'a:s': { t: [4, 5, 4] } });
    assert.deepEqual(check(yang11('a', body)), []);
    assert.deepEqual(check(yang10('a', body)), ['/a:s/t/2 must differ from entry 0 in its value']);
  });

  it('requires a case of a mandatory choice, and refuses nodes of two cases', () => {
    const check = bodyCheckOf(
      'container c { choice h { mandatory true; leaf x { type int8; } case k { leaf y { type int8; } leaf z { type int8; mandatory true; } } } }',
    );
    assert.deepEqual(check({}), ['/a:c must have a case of the choice "h": x, k']);
    assert.deepEqual(check({ 'a:c': { x: 1, z: 1 } }), [
      '/a:c/z cannot be combined with the case "x" of the choice "h"',
    ]);
    assert.deepEqual(check({ 'a:c': { y: 1 } }), ['/a:c/z is mandatory, and is missing']);
  });

  it('requires a case of a mandatory choice that has no cases', () => {
    const check = bodyCheckOf('container c { presence p; choice h { mandatory true; } }');
    assert.equal(check({ 'a:c': {} }).length, 1);
    assert.deepEqual(check({}), []);
  });

  it('adds the defaults of the default case until another case has data', () => {
    const check = bodyCheckOf(`container c {
           must "x = 1 or y";
           choice h { default d; case d { leaf x { type int8; default 1; } } case e { leaf y { type int8; } } }
         }`);
    assert.deepEqual(check({}), []);
    assert.deepEqual(check({ 'a:c': { y: 1 } }), []);
    assert.equal(check({ 'a:c': { x: 2 } }).length, 1);
  });

  it('counts the entries of lists, below a condition as well', () => {
    const check = bodyCheckOf(
      'container c { leaf on { type empty; } leaf-list l { when "../on"; type int8; min-elements 2; max-elements 3; } }',
    );
    assert.deepEqual(check({}), []);
    assert.deepEqual(check({ 'a:c': { on: [null] } }), ['/a:c/l must have at least 2 entries']);
    assert.deepEqual(check({ 'a:c': { on: [null], l: [1] } }), ['/a:c/l must have at least 2 entries']);
    assert.deepEqual(check({ 'a:c': { on: [null], l: [1, 2, 3, 4] } }), [
      '/a:c/l must have at most 3 entries',
    ]);
  });

  it('reports unknown members, missing keys and wrong names', () => {
    const check = bodyCheckOf('list l { key k; leaf k { type int8; } leaf v { type int8; } } ');
    assert.deepEqual(check({ l: [] }), ['/l must be named "a:l" (RFC 7951 section 4)']);
    assert.deepEqual(check({ 'a:l': [{ v: 1 }] }), ['/a:l/0/k is a key of the list, and is missing']);
    assert.deepEqual(check({ 'a:l': [{ k: 1, w: 1 }] }), ['/a:l/0/w is no node of the model here']);
  });

  it('knows nothing about the nodes above the start of a document', () => {
    const text = yang11(
      'a',
      'container c { leaf on { type boolean; } container d { must "../on = \'true\' and x > 1"; must "x > 0"; leaf x { type int8; } } }',
    );
    const check = documentCheckOf([text], { path: '/a:c/d' });
    assert.deepEqual(check({ 'a:d': { x: 1 } }), []);
    assert.deepEqual(check({ 'a:d': { x: 0 } }), ['/a:d violates must "x > 0"']);
  });

  it('validates the input of an rpc', () => {
    const check = bodyCheckOf(
      'rpc r { input { must "x or y"; leaf x { type int8; } leaf y { type int8; mandatory true; } } }',
      { target: 'rpc:r/input' },
    );
    assert.deepEqual(check({ 'a:input': { y: 1 } }), []);
    assert.deepEqual(check({ 'a:input': {} }), [
      '/a:input violates must "x or y"',
      '/a:input/y is mandatory, and is missing',
    ]);
  });
});

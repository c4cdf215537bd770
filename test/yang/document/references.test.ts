import assert from 'node:assert/strict';
import { bodyCheckOf, documentCheckOf, faultsOf, yang11 } from '../../support/yang.js';

describe('the validation of references', () => {
  it('refuses a leafref without an instance, and names its path', () => {
    const check = bodyCheckOf(
      'list l { key name; leaf name { type string; } } leaf r { type leafref { path "/a:l/a:name"; } }',
    );
    assert.deepEqual(check({ 'a:l': [{ name: 'x' }], 'a:r': 'x' }), []);
    assert.deepEqual(check({ 'a:l': [{ name: 'x' }], 'a:r': 'y' }), [
      '/a:r refers to "y", which is not in the document: path "/a:l/a:name"',
    ]);
  });

  it('accepts any value of the type with require-instance false', () => {
    const check = bodyCheckOf(
      'leaf n { type int8; } leaf r { type leafref { path "/a:n"; require-instance false; } }',
    );
    assert.deepEqual(check({ 'a:r': 5 }), []);
    assert.equal(check({ 'a:r': 500 }).length, 1);
  });

  it('follows relative paths, predicates and current()', () => {
    const check = bodyCheckOf(`list l { key name; leaf name { type string; } leaf-list v { type int8; } }
         list use { key name; leaf name { type leafref { path "../../l/name"; } }
           leaf v { type leafref { path "/a:l[a:name=current()/../a:name]/a:v"; } } }`);
    const lists = [
      { name: 'x', v: [1] },
      { name: 'y', v: [2] },
    ];
    assert.deepEqual(check({ 'a:l': lists, 'a:use': [{ name: 'x', v: 1 }] }), []);
    assert.equal(check({ 'a:l': lists, 'a:use': [{ name: 'x', v: 2 }] }).length, 1);
  });

  it('follows a relative path over the root into another module', () => {
    const other = yang11('other', 'container top { leaf l { type string; } }');
    const user = yang11(
      'm',
      'import other { prefix o; } container c { leaf x { type leafref { path "../../o:top/o:l"; } } }',
    );
    const check = documentCheckOf([user, other]);
    assert.deepEqual(check({ 'other:top': { l: 'y' }, 'm:c': { x: 'y' } }), []);
    assert.equal(check({ 'other:top': { l: 'y' }, 'm:c': { x: 'z' } }).length, 1);
  });

  it('checks the form of an instance-identifier whose instance need not exist (RFC 7951 6.11)', () => {
    const check = bodyCheckOf(
      'list l { key "k n"; leaf k { type string; } leaf n { type string; } container c { leaf d { type int8; } } } list s { config false; leaf v { type int8; } } leaf free { type instance-identifier { require-instance false; } } leaf either { type union { type instance-identifier { require-instance false; } type string; } }',
      { content: 'all' },
    );
    const faultOf = (text: string) => check({ 'a:free': text }).join();
    for (const text of ["/a:l[k='1'][n='2']", "/a:l[k='1'][n='2']/c/d", '/other:unknown/x', "/a:none[x='1']"])
      assert.equal(faultOf(text), '', text);
    assert.match(faultOf("/a:l[k='1']"), /needs the keys of "a:l": k, n/);
    assert.match(faultOf('/a:l'), /needs the keys of "a:l": k, n/);
    assert.match(faultOf("/a:l[a:k='1'][n='2']"), /must not repeat the module in "a:k"/);
    assert.match(faultOf("/a:l[k='1'][n='2']/a:c"), /must not repeat the module in "a:c"/);
    assert.match(faultOf('/l'), /must begin with the name of a module/);
    assert.match(faultOf('a:l'), /must be an instance-identifier/);
    assert.deepEqual(check({ 'a:either': '/a:l' }), []);
  });

  it('checks that the predicates of such an instance-identifier have values of their types (RFC 7950 9.13)', () => {
    const check = bodyCheckOf(
      'leaf t { type int8; } list l { key "k"; leaf k { type leafref { path "/a:t"; } } } leaf-list n { type int8; } leaf-list s { config false; type int8; } list u { key k; leaf k { type union { type int8; type boolean; } } } leaf free { type instance-identifier { require-instance false; } }',
      { content: 'all' },
    );
    const faultOf = (text: string) => check({ 'a:free': text }).join();
    for (const text of ["/a:l[k='1']", "/a:n[.='1']", "/a:u[k='true']", '/a:s[1]'])
      assert.equal(faultOf(text), '', text);
    assert.match(faultOf("/a:l[k='x']"), /has the value "x" for "a:k", which is no value of the type int8/);
    assert.match(faultOf("/a:n[.='300']"), /has the value "300" for "a:n", which must be in the range/);
    assert.match(faultOf("/a:u[k='x']"), /which is no value of any member type of the union/);
    // Values of a configuration leaf-list are unique, so that only those of state need positions.
    assert.match(faultOf('/a:n[1]'), /needs the value of "a:n"/);
  });

  it('checks the form of a default of the type instance-identifier', () => {
    const faults = (text: string) =>
      faultsOf([yang11('m', `leaf a { type instance-identifier; default "${text}"; }`)]).join();
    assert.match(faults('x'), /it is not an instance-identifier/);
    assert.equal(faults("/m:a[m:k='/x]']"), '');
  });

  it('refers to defaults, which are part of the accessible tree', () => {
    const check = bodyCheckOf('leaf n { type int8; default 7; } leaf r { type leafref { path "/a:n"; } }');
    assert.deepEqual(check({ 'a:r': 7 }), []);
  });

  it('reads a union with the first member whose instance exists', () => {
    const check = bodyCheckOf(`leaf-list n { type string; }
         leaf u { type union { type leafref { path "/a:n"; } type enumeration { enum none; } } }
         leaf strict { type union { type leafref { path "/a:n"; } } }`);
    assert.deepEqual(check({ 'a:n': ['x'], 'a:u': 'x' }), []);
    assert.deepEqual(check({ 'a:u': 'none' }), []);
    assert.equal(check({ 'a:strict': 'x' }).length, 1);
  });

  it('finds the instance of an instance-identifier by its keys', () => {
    const check = bodyCheckOf(
      'container c { list l { key "k m"; leaf k { type int8; } leaf m { type string; } leaf v { type int8; } } } leaf r { type instance-identifier; }',
    );
    const document = (r: string) => ({ 'a:c': { l: [{ k: 1, m: 'x', v: 5 }] }, 'a:r': r });
    assert.deepEqual(check(document("/a:c/l[k='1'][m='x']/v")), []);
    assert.deepEqual(check(document("/a:c/l[m='x'][k='+1']/v")), []);
    assert.match(check(document("/a:c/l[k='2'][m='x']/v"))[0] ?? '', /refers to an instance that is not in/);
    assert.match(check(document("/a:c/l[k='1']/v"))[0] ?? '', /needs the keys of "a:l": k, m/);
    assert.match(check(document('/a:c/none'))[0] ?? '', /no node of the model/);
    assert.match(check(document('/c'))[0] ?? '', /must begin with the name of a module/);
    assert.match(check(document('a:c'))[0] ?? '', /must be an instance-identifier/);
  });
});

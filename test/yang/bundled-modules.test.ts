import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { asModule, yang11 } from '../support/yang.js';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'config', 'yang');
const USER = asModule('import ietf-inet-types { prefix inet; } leaf a { type inet:port-number; }');

describe('the modules of the package', () => {
  it('provide an import that nothing else provides, in the newest revision', () => {
    const compiled = compileYang([{ file: 'm.yang', text: USER }]);
    assert.ok('modules' in compiled);
    assert.deepEqual(compiled.bundled, ['ietf-inet-types@2025-12-22']);
  });

  it('provide the revision that an import names', () => {
    const text = USER.replace('prefix inet;', 'prefix inet; revision-date 2013-07-15;');
    const compiled = compileYang([{ file: 'm.yang', text }]);
    assert.ok('modules' in compiled);
    assert.deepEqual(compiled.bundled, ['ietf-inet-types@2013-07-15']);
  });

  it("are not used where a caller's module or library provides the import", () => {
    const own = yang11('ietf-inet-types', 'typedef port-number { type int8; }');
    const given = compileYang([USER, own].map((text, at) => ({ file: `${at}.yang`, text })));
    const library = { find: () => ({ file: 'own.yang', text: own }) };
    for (const compiled of [given, compileYang([{ file: 'm.yang', text: USER }], { library })]) {
      assert.ok('modules' in compiled);
      assert.deepEqual(compiled.bundled, []);
    }
  });

  it('can be left out', () => {
    const compiled = compileYang([{ file: 'm.yang', text: USER }], { bundled: false });
    assert.ok('faults' in compiled);
    assert.equal(compiled.faults[0]?.missing?.name, 'ietf-inet-types');
  });

  for (const file of readdirSync(FOLDER))
    it(`compile without other modules, and contain their license: ${file}`, () => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      assert.match(text, /BSD\s+License/);
      const compiled = compileYang([{ file, text }], { content: 'all' });
      assert.deepEqual('faults' in compiled ? compiled.faults : [], []);
    });
});

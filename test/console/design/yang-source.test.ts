import assert from 'node:assert/strict';
import { yangSourceOf } from '../../../console/src/design/yang-source.js';
import { compileText, compileTexts, yang11 } from '../../support/yang.js';

const VLAN = yang11('vlan', 'revision 2026-01-02; leaf id { type uint16; } rpc reset { input { leaf id { type string; } } }'); // prettier-ignore

describe('the source of a schema from YANG', () => {
  it('is the module and its revision', () => {
    const { schema } = compileText(VLAN);
    assert.deepEqual(yangSourceOf(schema), {
      modules: [{ name: 'vlan', revision: '2026-01-02' }],
      isDatastore: false,
      hasState: false,
      target: undefined,
      path: undefined,
      model: undefined,
    });
    const model = 'a'.repeat(64);
    const about = {
      kind: 'module',
      module: 'vlan',
      revision: null,
      model,
      target: 'rpc:reset/input',
      path: '/a',
    };
    const source = yangSourceOf({ 'x-yang': about });
    assert.deepEqual([source?.model, source?.target, source?.path], [model, 'rpc:reset/input', '/a']);
    assert.deepEqual(source?.modules, [{ name: 'vlan' }]);
  });

  it('is each module of a datastore, also without a revision', () => {
    const texts = [VLAN, yang11('site', 'leaf name { type string; }')];
    const [document] = compileTexts(texts, { target: 'datastore', content: 'all' });
    const source = yangSourceOf(document?.schema);
    assert.deepEqual(source?.modules, [{ name: 'vlan', revision: '2026-01-02' }, { name: 'site' }]);
    assert.deepEqual(source.isDatastore, true);
  });

  it('is unknown for another schema', () => {
    assert.equal(yangSourceOf({ type: 'object', 'x-yang': true }), undefined);
    assert.equal(yangSourceOf(true), undefined);
  });
});

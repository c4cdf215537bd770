import assert from 'node:assert/strict';
import { asModule, assertData, compileTexts, faultsOf, yang11 } from '../support/yang.js';

const A = yang11('a', 'container c { leaf x { type int8; mandatory true; } } rpc r;');
const B = yang11(
  'b',
  'import a { prefix a; } revision 2024-01-31; augment /a:c { leaf y { type string; } } leaf z { type boolean; }',
);
const IMPORTED = yang11('t', 'leaf only-imported { type string; }');

describe('the target datastore', () => {
  it('is one document with the data nodes of all given modules', () => {
    const modules = compileTexts([A, B], { target: 'datastore' });
    assert.equal(modules.length, 1);
    assertData(
      modules[0]!,
      [{ 'a:c': { x: 1, 'b:y': '' }, 'b:z': true }, { 'a:c': { x: 1 } }],
      [{ 'b:z': true }, { 'a:c': { x: 1 }, 'b:y': '' }, { 'a:c': { x: 1 }, 'b:z': 'x' }],
    );
    assert.deepEqual(modules[0]?.schema['x-yang'], {
      kind: 'datastore',
      modules: [
        { module: 'a', namespace: 'urn:a', revision: null },
        { module: 'b', namespace: 'urn:b', revision: '2024-01-31' },
      ],
    });
    assert.deepEqual(modules[0].uiSchema['ui:order'], ['a:c', 'b:z']);
  });

  it('leaves out modules that are only imported', () => {
    const importer = asModule('import t { prefix t; } leaf a { type string; }');
    const library = {
      find: (name: string) => (name === 't' ? { file: 't.yang', text: IMPORTED } : undefined),
    };
    const [datastore] = compileTexts([importer], { target: 'datastore', library });
    assertData(datastore!, [{ 'm:a': '' }], [{ 't:only-imported': '' }]);
  });

  it('may begin at a node of any module', () => {
    const [datastore] = compileTexts([A, B], { target: 'datastore', path: '/b:z' });
    assertData(datastore!, [{ 'b:z': true }], [{ 'a:c': { x: 1 } }]);
    assert.match(faultsOf([A, B], { target: 'datastore', path: '/b:none' })[0] ?? '', /there is no "b:none"/);
  });
});

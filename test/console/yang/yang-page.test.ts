import assert from 'node:assert/strict';
import { constructOf, coverageOf } from '../../../console/src/pages/yang/coverage.js';
import { moduleGraph } from '../../../console/src/pages/yang/module-graph.js';
import { scanYang } from '../../../console/src/pages/yang/scan-yang.js';
import { yangBody, yangFaults, type YangOptions } from '../../../console/src/pages/yang/yang-request.js';
import { compileTexts } from '../../support/yang.js';

const TYPES = `module types { yang-version 1.1; namespace "urn:t"; prefix t;
  // import nobody { prefix n; }
  typedef id { type string; description "a { leaf that is none; }"; } }`;
const BASE = `module base { yang-version 1.1; namespace 'urn:b'; prefix b; import types { prefix t; }
  revision 2025-01-01; revision 2026-01-01;
  container box { leaf id { type t:id; must ". != 'x'"; } leaf ref { type leafref { path "../id"; } } } }`;
const MORE = `module more { yang-version 1.1; namespace "urn:m"; prefix m; import base { prefix bb; }
  augment "/bb:box" { leaf extra { type string; when "../bb:id"; } } }`;

const scan = (text: string) => {
  const found = scanYang(text);
  assert.ok(found);
  return found;
};

describe('the YANG page', () => {
  it('scans name, revision, imports and node count of a module, ignoring comments and strings', () => {
    const { name, revision, imports, nodes } = scan(BASE);
    const expected = ['base', '2026-01-01', ['types'], 3];
    assert.deepEqual([name, revision, imports, nodes], expected);
    assert.deepEqual(scan(MORE).augments, ['base']);
    const types = scan(TYPES);
    assert.deepEqual([types.imports, types.nodes, types.typedefs], [[], 0, 1]);
    assert.equal(scanYang('{"no": "yang"}'), undefined);
    assert.equal(scan('module half { container "x').name, 'half');
  });

  it('places each module right of the modules that import it', () => {
    const { nodes, edges } = moduleGraph([TYPES, BASE, MORE].map(scan), new Map([['base', 3]]));
    const at = Object.fromEntries(nodes.map(({ name, x, words }) => [name, { x, words }]));
    assert.ok((at['more']?.x ?? 0) < (at['base']?.x ?? 0) && (at['base']?.x ?? 0) < (at['types']?.x ?? 0));
    assert.equal(at['base']?.words, '3 nodes in the schema');
    assert.equal(at['types']?.words, '1 type');
    const actual = edges.map(({ from, to, kinds }) => `${from.name} ${to.name} ${kinds.join()}`);
    assert.deepEqual(actual, ['base types import', 'more base import,augment']);
  });

  it('draws circular imports and missing modules', () => {
    const circle = ['a', 'b'].map((name) =>
      scan(`module ${name} { import ${name === 'a' ? 'b' : 'a'} { prefix x; } }`),
    );
    assert.equal(moduleGraph(circle).nodes.length, 2);
    assert.equal(moduleGraph([scan(BASE)]).nodes.find(({ name }) => name === 'types')?.kind, 'elsewhere');
  });

  it('counts the nodes of the schema and the warnings of the compiler by construct', () => {
    const [, base, more] = compileTexts([TYPES, BASE, MORE]);
    assert.ok(base && more);
    const { nodes, partly, warningCounts, byModule } = coverageOf(base);
    assert.equal(nodes, 4);
    assert.equal(byModule.get('more'), 1);
    assert.equal(partly, 3);
    assert.deepEqual(Object.fromEntries(warningCounts), { must: 1, leafref: 1, when: 1 });
    assert.equal(constructOf({ path: '/', message: 'the revision is written twice' }), 'other');
  });

  const OPTIONS: YangOptions = {
    ...{ features: '', deviations: '', path: ' ', draft: '', adapterId: '', mount: '/rests/data' },
    ...{
      document: 'modules',
      target: 'rpc:reset/input ',
      dialect: 'plain',
      content: 'config',
      isLenient: false,
    },
  };

  it('sends only the options that are set', () => {
    assert.deepEqual(yangBody([{ name: 'a.yang', text: TYPES }], OPTIONS), { yangData: [TYPES] });
    const set = {
      ...{ features: 'a: x y\nb:', deviations: 'c, d', path: '/a:b', draft: '07', content: 'all' },
      ...{ adapterId: 'odl1', isLenient: true },
    } as const;
    assert.deepEqual(yangBody([], { ...OPTIONS, ...set }), {
      ...{ yangData: [], content: 'all', draft: '07', lenient: true, deviations: ['c', 'd'], path: '/a:b' },
      ...{ adapterId: 'odl1', mount: '/rests/data', features: { a: ['x', 'y'], b: [] } },
    });
  });

  it('sends the document and the dialect that are chosen', () => {
    const datastore = yangBody([], { ...OPTIONS, document: 'datastore', dialect: 'rjsf' });
    assert.deepEqual(datastore, { yangData: [], target: 'datastore', dialect: 'rjsf' });
    const other = yangBody([], { ...OPTIONS, document: 'other', draft: '2020-12' });
    assert.deepEqual(other, { yangData: [], target: 'rpc:reset/input', draft: '2020-12' });
  });

  it('counts warnings that the list does not have', () => {
    const warnings = [{ path: '/', message: 'must "a" is not checked' }];
    const { warningCounts } = coverageOf({ schema: {}, warnings, warningCounts: { must: 1200, when: 3 } });
    assert.deepEqual(warningCounts, Object.entries({ must: 1200, when: 3 }));
  });

  it('locates a fault by text, line and column', () => {
    const faults = yangFaults([
      { pointer: '/yangData/1', message: '3:12: "strin" is no type (RFC 7950 7.4)' },
      { pointer: '/yangData', message: 'x.yang:1:1: bad' },
    ]);
    const message = '"strin" is no type (RFC 7950 7.4)';
    assert.deepEqual(faults[0], { text: 1, line: 3, column: 12, message });
    assert.equal(faults[1]?.text, undefined);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvText, readCsv } from '../../../console/src/form/model/exchange/csv.js';
import {
  applyEdit,
  bindingsOf,
  changesOf,
  csvColumns,
  csvToList,
  documentText,
  draftOf,
  jsonPatch,
  listToCsv,
  mergePatch,
  openAsForm,
  openForm,
  optionsFrom,
  readJson,
  rowsOf,
  undo,
  withDraft,
  withLoaded,
  withOptions,
  writeJson,
} from '../../../console/src/form/model/index.js';
import { column, columns } from '../../support/columns.js';
import { plain } from './apply-patch.js';
import { clear, remove, set, withEdits } from './edit.js';
import { exampleForm, rowOf, SCHEMA, TEXT } from './example-form.js';
import { option } from './option.js';
import { afterWhims, whims } from './some-edits.js';

describe('the draft of a form', () => {
  it('restores random edits', () => {
    fc.assert(
      fc.property(whims, (acts) => {
        const state = afterWhims(exampleForm(), acts);
        const { state: opened, conflicts, sameSchema } = withDraft(exampleForm(), draftOf(state));
        assert.deepEqual(plain(opened.data), plain(state.data));
        assert.deepEqual([conflicts, sameSchema], [[], true]);
      }),
      { numRuns: 100 },
    );
  });

  it('applies to a document that has changed since', () => {
    const draft = draftOf(withEdits(exampleForm(), set('/interfaces/2/mtu', 70)));
    const now = TEXT.replace('"berlin"', '"bonn"').replace('{"id": "eth1"},', '');
    const { state, conflicts } = withDraft(openForm({ schema: SCHEMA, data: readJson(now) }), draft);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(columns(changesOf(state), 'pointer', 'after'), [['/interfaces/1/mtu', 70]]);
    assert.ok(documentText(state).includes('"counter":12345678901234567890'));
  });

  it('reports a conflict when both sides change the same value, and keeps both values', () => {
    const mine = withEdits(exampleForm(), set('/interfaces/0/mtu', 70));
    const theirs = readJson(TEXT.replace('1500', '1600'));
    const { state, conflicts } = withLoaded(mine, theirs);
    assert.deepEqual(conflicts, [{ pointer: '/interfaces/0/mtu', base: 1500, ours: 70, theirs: 1600 }]);
    assert.deepEqual(columns(changesOf(state), 'before', 'after'), [[1600, 70]]);
  });

  it('keeps an entry that one side changed and the other side removed', () => {
    const mine = withEdits(exampleForm(), remove('/interfaces/0'));
    const { state, conflicts } = withLoaded(mine, readJson(TEXT.replace('1500', '1600')));
    const found = conflicts.map(({ ours: own, theirs }) => [own, plain(theirs)]);
    assert.deepEqual(found, [[undefined, { id: 'eth0', mtu: 1600, config: { peer: 'x' } }]]);
    assert.equal(rowOf(state, '/interfaces').list?.length, 2);
  });

  it('reports a different schema, and rejects an invalid draft', () => {
    assert.equal(
      withDraft(openForm({ schema: true, data: readJson(TEXT) }), draftOf(exampleForm())).sameSchema,
      false,
    );
    assert.throws(() => withDraft(exampleForm(), '{}'), SyntaxError);
  });
});

describe('patches of a form', () => {
  it('contain moves and removals', () => {
    const moved = applyEdit(exampleForm(), { kind: 'move', pointer: '/interfaces/2', to: 0 });
    assert.deepEqual(jsonPatch(moved), [{ op: 'move', from: '/interfaces/2', path: '/interfaces/0' }]);
    const removed = withEdits(exampleForm(), remove('/interfaces/1'));
    assert.deepEqual(jsonPatch(removed), [{ op: 'remove', path: '/interfaces/1' }]);
    assert.deepEqual(mergePatch(withEdits(exampleForm(), clear('/name'))), { name: null });
  });

  it('keep the digits of numbers', () => {
    const state = withEdits(exampleForm(), set('/counter', readJson('98765432109876543210.0')));
    const patch = '[{"op":"replace","path":"/counter","value":98765432109876543210.0}]';
    assert.equal(writeJson(jsonPatch(state)), patch);
    assert.equal(writeJson(mergePatch(state) ?? null), '{"counter":98765432109876543210.0}');
  });

  it('contain the whole document when the form had no data', () => {
    const state = withEdits(openForm({ schema: SCHEMA }), set('/name', 'x'));
    assert.deepEqual(jsonPatch(state), [{ op: 'add', path: '', value: { name: 'x' } }]);
    assert.deepEqual(jsonPatch(undo(state)), []);
    assert.equal(documentText(undo(state)), '');
  });
});

describe('a list as CSV', () => {
  it('has the leaves of its entries as columns', () => {
    assert.deepEqual(csvColumns(exampleForm(), '/interfaces'), [
      { pointer: '/id', title: 'id', chosen: true },
      { pointer: '/mtu', title: 'mtu', chosen: true },
      { pointer: '/config/peer', title: 'config / peer', chosen: true },
      { pointer: '/config/note', title: 'config / note', chosen: false },
    ]);
    assert.deepEqual(csvColumns(exampleForm(), '/name'), []);
  });

  it('is read back without a change', () => {
    const columns = csvColumns(exampleForm(), '/interfaces').filter(({ chosen }) => chosen);
    const text = listToCsv(exampleForm(), '/interfaces', columns);
    assert.equal(text, 'id,mtu,config/peer\r\neth0,1500,x\r\neth1,,\r\neth2,9000,\r\n');
    assert.equal(csvToList(exampleForm(), '/interfaces', text).state.past.length, 0);
  });

  it('keeps the entries of a long list closed, as if it had been loaded', () => {
    const ports = { type: 'array', items: { type: 'object', properties: { name: {} } } };
    const schema = { type: 'object', properties: { ports } };
    const csv = (count: number) =>
      ['name', ...Array.from({ length: count }, (_, at) => `eth${at}`)].join('\n');
    const rowsAfter = (count: number) => {
      const { state } = csvToList(openAsForm(openForm({ schema })), '/ports', csv(count));
      return rowsOf(state).rows.length;
    };
    assert.equal(rowsAfter(20), 1 + 20 * 2);
    assert.equal(rowsAfter(200), 1 + 200);
  });

  it('updates entries with matching keys and adds the other entries, in one undo step', () => {
    const csv = 'mtu;id;colour\n1400;eth1;red\n;eth0;\n70;"eth9"\n';
    const { state, applied, problems } = csvToList(exampleForm(), '/interfaces', csv);
    assert.deepEqual([applied, problems], [3, [{ line: 1, reason: 'noColumn', path: 'colour' }]]);
    assert.deepEqual(plain(rowOf(state, '/interfaces').value), [
      { id: 'eth0', config: { peer: 'x' } },
      { id: 'eth1', mtu: 1400 },
      { id: 'eth2', mtu: 9000 },
      { id: 'eth9', mtu: 70 },
    ]);
    assert.equal(documentText(undo(state)), TEXT);
  });

  it('is parsed to the written cells, with any content', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'ä') });
    const records = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(records, (written) => {
        const kept = written.filter((one) => one.some((text) => text !== ''));
        assert.deepEqual(column(readCsv(csvText(written)), 'cells'), kept);
      }),
    );
    assert.throws(() => readCsv('a,"b'), SyntaxError);
  });
});

describe('the bindings of a form', () => {
  const bindingSchema = {
    properties: {
      mode: {
        'binding:method': 'post',
        'binding:target': '/enum',
        'binding:link': 'item',
        'binding:source': { propertyPointer: '/results', keyPointer: '/id', labelKeyPointer: '/name' },
        'binding:hyperSchema': {
          base: '/orchestrator_manager/',
          links: [
            { rel: 'other', href: 'x' },
            { rel: 'item', href: 'restQuery/core1', variables: { a: 1 } },
          ],
        },
      },
      interfaces: { items: { properties: { id: { 'binding:target': '/enum' } } } },
    },
  };

  it('describe the request for the options', () => {
    const [mode, id] = bindingsOf(openForm({ schema: SCHEMA, bindingSchema }));
    assert.deepEqual(mode, {
      path: '/mode',
      method: 'POST',
      href: '/orchestrator_manager/restQuery/core1',
      mediaType: undefined,
      variables: { a: 1 },
      target: '/enum',
      source: { values: '/results', value: '/id', label: '/name' },
    });
    assert.deepEqual([id?.path, id?.href], ['/interfaces/*/id', '']);
  });

  it('offer the options of the response, or report the failure', () => {
    const state = exampleForm();
    const [mode] = bindingsOf(openForm({ schema: SCHEMA, bindingSchema }));
    const results = [{ id: 1, name: 'one' }, { id: 'two' }, 'three', { no: 1 }];
    const options = optionsFrom(mode!, { results });
    assert.deepEqual(options, [option(1, 'one'), option('two', 'two'), option('three', 'three')]);
    const ready = withOptions(state, '/interfaces/*/id', { state: 'ready', options });
    const editor = { kind: 'combobox', source: 'binding', options };
    assert.deepEqual(rowOf(ready, '/interfaces/2/id').editor, editor);
    const failure = { state: 'failed', message: 'the device does not answer' } as const;
    assert.deepEqual(rowOf(withOptions(state, '/mode', failure), '/mode').bound, failure);
  });
});

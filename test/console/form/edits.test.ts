import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  canRedo,
  canUndo,
  changesOf,
  documentText,
  type FormState,
  jsonPatch,
  mergePatch,
  openForm,
  plainValue,
  readJson,
  redo,
  revertChange,
  rowAt,
  undo,
  withOpen,
} from '../../../console/src/form/model/index.js';
import { columns } from '../../support/columns.js';
import { applyJsonPatch, applyMergePatch, plain } from './apply-patch.js';
import { choose, clear, withEdits, remove, set } from './edit.js';
import { exampleForm, rowOf, rowsById, TEXT } from './example-form.js';
import { afterWhims, whims } from './some-edits.js';

function dataAt(state: FormState, id: string): unknown {
  return plain(rowAt(state, id)?.value);
}

describe('editing a form', () => {
  it('creates the containers of a value, and removes them with the value', () => {
    const state = withEdits(exampleForm(), set('/location/room/number', 7));
    assert.deepEqual(dataAt(state, '/location'), { room: { number: 7 } });
    assert.equal(documentText(withEdits(state, clear('/location/room/number'))), TEXT.replace(/\s*$/, ''));
  });

  it('returns the same state when nothing changes', () => {
    const state = exampleForm();
    assert.equal(withEdits(state, set('/name', 'berlin')), state);
    assert.equal(withEdits(state, clear('/vlan')), state);
    assert.equal(withEdits(state, set('/name/no/place', 1)), state);
  });

  it('keeps the text of unchanged values', () => {
    const text = documentText(withEdits(exampleForm(), set('/name', 'bonn')));
    for (const part of [
      '"counter":12345678901234567890',
      '{"10": 1, "9": [ 1e3 ]}',
      '[1, {"a": 1.0}]',
      '{"id": "eth0", "mtu": 1500, "config": {"peer": "x"}}',
    ])
      assert.ok(text.includes(part), part);
  });

  it('keeps the expanded rows and changes of entries when entries move', () => {
    let state = withOpen(exampleForm(), '/interfaces/0/config', false);
    state = withEdits(state, { kind: 'move', pointer: '/interfaces/0', to: 2 });
    assert.equal(rowOf(state, '/interfaces/2').title, '[eth0]');
    assert.equal(state.open.get('/interfaces/2/config'), false);
    assert.equal(rowOf(state, '/interfaces/2').changed, false);
    state = withEdits(state, remove('/interfaces/0'));
    assert.equal(state.open.get('/interfaces/1/config'), false);
    assert.deepEqual(columns(changesOf(state), 'kind', 'pointer'), [
      ['removed', '/interfaces/1'],
      ['moved', '/interfaces/0'],
    ]);
  });

  it('duplicates an entry without its keys', () => {
    const state = withEdits(exampleForm(), { kind: 'duplicate', pointer: '/interfaces/0' });
    assert.deepEqual(dataAt(state, '/interfaces/1'), { mtu: 1500, config: { peer: 'x' } });
  });

  it('keeps the data of the deselected alternative', () => {
    const first = exampleForm();
    const alternatives = { names: ['by password', 'by key'], chosen: 1, stashed: [], mandatory: false };
    assert.deepEqual(rowOf(first, '/access').alternatives, alternatives);
    const other = withEdits(first, choose('/access', 0));
    assert.deepEqual(dataAt(other, '/access'), { kind: 'password', user: 'ann' });
    assert.deepEqual(rowOf(other, '/access').alternatives?.stashed, [1]);
    assert.equal(rowOf(other, '/access/password').editor.kind, 'text');
    const back = withEdits(other, choose('/access', 1));
    assert.deepEqual(dataAt(back, '/access'), { kind: 'key', user: 'ann', key: 'k1' });
  });

  it('undoes consecutive typing in one field as one step', () => {
    const typed = withEdits(exampleForm(), set('/name', 'a'), set('/name', 'ab'));
    assert.equal(typed.past.length, 1);
    assert.equal(dataAt(undo(typed), '/name'), 'berlin');
  });

  it('drops the oldest undo steps above the limit', () => {
    let state = openForm({ schema: {}, data: {} }, { undoLimit: 3 });
    for (let at = 0; at < 9; at += 1)
      state = withEdits(state, { kind: 'member', pointer: '', name: `m${at}` });
    assert.equal(state.past.length, 3);
  });

  it('does not change a read-only form', () => {
    const state = openForm(
      { schema: { type: 'object', properties: { a: { type: 'string' } } }, data: { a: 'x' } },
      { readOnly: true },
    );
    assert.equal(withEdits(state, set('/a', 'y')), state);
    assert.equal(rowOf(state, '/a').readOnly, true);
  });

  it('lists each change with its titles and the values before and after', () => {
    const state = withEdits(
      exampleForm(),
      set('/name', 'bonn'),
      set('/location/city', 'Bonn'),
      set('/interfaces/1/mtu', 9),
    );
    const [name, mtu, city] = ['/name', '/interfaces/1/mtu', '/location/city'];
    const added = { kind: 'added', loadedPointer: undefined, before: undefined };
    assert.deepEqual(changesOf(state), [
      {
        ...{ kind: 'changed', pointer: name, loadedPointer: name, path: ['Name of the site'] },
        ...{ before: 'berlin', after: 'bonn' },
      },
      { ...added, pointer: mtu, path: ['interfaces', '[eth1]', 'mtu'], after: 9 },
      { ...added, pointer: city, path: ['location', 'city'], after: 'Bonn' },
    ]);
  });
});

describe('random edits', () => {
  const check = (holds: (state: FormState) => void) => {
    fc.assert(
      fc.property(whims, (acts) => {
        holds(afterWhims(exampleForm(), acts));
      }),
      { numRuns: 150 },
    );
  };

  it('are reverted together, byte for byte', () => {
    check((state) => {
      assert.equal(documentText(withEdits(state, { kind: 'revert', pointer: '' })), TEXT);
    });
  });

  it('equal the JSON Patch applied to the loaded document', () => {
    check((state) => {
      assert.deepEqual(applyJsonPatch(plain(state.loaded), jsonPatch(state)), plain(state.data));
    });
  });

  it('equal the merge patch applied to the loaded document, unless a value is null', () => {
    check((state) => {
      const patch = mergePatch(state);
      if (patch !== undefined)
        assert.deepEqual(applyMergePatch(plain(state.loaded), plainValue(patch)), plain(state.data));
      else assert.match(documentText(state), /null/);
    });
  });

  it('are undone and redone', () => {
    check((state) => {
      let back = state;
      while (canUndo(back)) back = undo(back);
      assert.equal(documentText(back), TEXT);
      let again = back;
      while (canRedo(again)) again = redo(again);
      assert.equal(again.data, state.data);
    });
  });

  it('are reverted one by one', () => {
    check((state) => {
      let at = state;
      for (let step = 0; changesOf(at).length > 0; step += 1) {
        assert.ok(step < 200, `goes on forever: ${JSON.stringify(changesOf(at))}`);
        const next = changesOf(at)
          .map((change) => revertChange(at, change))
          .find((one) => one !== at);
        assert.ok(next, `cannot be taken back: ${JSON.stringify(changesOf(at))}`);
        at = next;
      }
      assert.deepEqual(plain(at.data), plain(readJson(TEXT)));
    });
  });

  it('keep the value of every row equal to the value at its ID', () => {
    check((state) => {
      for (const row of rowsById(state).values())
        if (row.kind !== 'choice')
          assert.deepEqual(plain(row.value), plain(rowAt(state, row.id)?.value), row.id);
    });
  });
});

import assert from 'node:assert/strict';
import {
  checkAll,
  checkAt,
  errorGroups,
  errorsOf,
  nextError,
  openForm,
  plainValue,
  readJson,
  rowAt,
  rowsOf,
  schemaFaults,
  validationResultOf,
  withFilter,
  withOpen,
  withServerErrors,
} from '../../../console/src/form/model/index.js';
import { column, columns } from '../../support/columns.js';
import { withEdits, remove, set } from './edit.js';
import { exampleForm, rowOf, SCHEMA } from './example-form.js';

describe('checking a form', () => {
  it('reports errors at their rows, and counts them in the rows above', () => {
    const state = checkAll(
      openForm({ schema: SCHEMA, data: { name: 'Berlin', interfaces: [{ mtu: 5 }, { id: 'x' }] } }),
    );
    assert.equal(validationResultOf(state), 'invalid');
    const errors = errorsOf(state).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    assert.deepEqual(errors, ['/name pattern', '/interfaces/0/id required', '/interfaces/0/mtu minimum']);
    assert.equal(rowOf(state, '/interfaces').errorsBelow, 2);
    assert.deepEqual(rowOf(state, '/interfaces/0/id').errors, [
      {
        pointer: '/interfaces/0/id',
        message: 'is required',
        keyword: 'required',
        schemaPath: '/properties/interfaces/items/required',
        source: 'form',
      },
    ]);
    assert.deepEqual(
      errorGroups(state).map(({ pointer, title, errors }) => [pointer, title, errors.length]),
      [
        ['', '', 1],
        ['/interfaces/0', 'interfaces / #1', 2],
      ],
    );
  });

  it('reports no errors for a valid document', () => {
    const state = checkAll(exampleForm());
    assert.deepEqual([validationResultOf(state), state.errors], ['valid', []]);
    assert.equal(validationResultOf(withEdits(state, set('/name', 'x'))), 'unchecked');
  });

  it('moves to the next and the previous error and wraps around', () => {
    const state = checkAll(openForm({ schema: SCHEMA, data: { name: 'Berlin', interfaces: [{ mtu: 5 }] } }));
    const order = ['/name', '/interfaces/0/id', '/interfaces/0/mtu'];
    const from = (by: 1 | -1) => order.map((id) => nextError(state, id, by));
    assert.deepEqual(from(1), [...order.slice(1), '/name']);
    assert.deepEqual(from(-1), ['/interfaces/0/mtu', '/name', '/interfaces/0/id']);
    assert.equal(nextError(state, undefined, 1), '/name');
    assert.equal(nextError(state, '/vlan', 1), '/interfaces/0/id');
    assert.equal(nextError(exampleForm(), undefined, 1), undefined);
  });

  it('checks a single field', () => {
    const wrong = openForm({ schema: SCHEMA, data: { name: 'Berlin', vlan: 5000, interfaces: [] } });
    const state = checkAt(wrong, '/vlan');
    assert.deepEqual(column(state.errors, 'pointer'), ['/vlan']);
    const mended = checkAt(withEdits(state, set('/vlan', 5)), '/vlan');
    assert.deepEqual(mended.errors, []);
  });

  it('shows only the rows with errors by is:error, also in an open list that has an error itself', () => {
    const schema = {
      properties: { l: { type: 'array', maxItems: 2, items: { properties: { n: { maximum: 3 } } } } },
    };
    const data = readJson('{"l": [{"n": 1}, {"n": 4}, {"n": 2}]}');
    const state = checkAll(withOpen(openForm({ schema, data }), '/l', true));
    const ids = rowsOf(withFilter(state, 'is:error')).rows.map(({ id }) => id);
    assert.deepEqual(ids, ['/l', '/l/1', '/l/1/n']);
  });

  it('opens the rows with errors, and finds them by is:error', () => {
    const state = checkAll(
      openForm({ schema: SCHEMA, data: { name: 'a', interfaces: [], location: { room: { number: 'x' } } } }),
    );
    assert.notEqual(rowsOf(state).indexOf('/location/room/number'), -1);
    const found = rowsOf(withFilter(state, 'is:error'));
    assert.deepEqual(columns(found.rows, 'id', 'hit'), [
      ['/location', false],
      ['/location/room', false],
      ['/location/room/number', true],
    ]);
  });

  it('shows an error of the server at its row until the field is edited', () => {
    const state = withServerErrors(exampleForm(), [
      { pointer: '/interfaces/1/mtu', message: 'is too much for the device' },
    ]);
    assert.equal(rowOf(state, '/interfaces/1/mtu').errors[0]?.source, 'server');
    const moved = withEdits(state, remove('/interfaces/0'));
    assert.equal(rowOf(moved, '/interfaces/0/mtu').errors.length, 1);
    assert.equal(withEdits(moved, set('/interfaces/0/mtu', 70)).errors.length, 0);
    assert.equal(withServerErrors(state, []).errors.length, 0);
  });

  it('combines the errors of the members of a union into one error', () => {
    const schema = {
      properties: { a: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }] } },
    };
    const { errors } = checkAll(openForm({ schema, data: { a: 'x' } }));
    assert.deepEqual(column(errors, 'keyword'), ['anyOf']);
    assert.deepEqual(column(errors[0]?.causes ?? [], 'keyword'), ['type', 'enum']);
  });

  it('reports "too complex" when the check exceeds its budget', () => {
    const doubled = (at: number) => [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }];
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`d${at}`, at === 29 ? {} : { allOf: doubled(at + 1) }]),
    );
    const schema = { type: 'object', properties: { a: { type: 'string', allOf: doubled(0) } }, $defs };
    const state = checkAll(openForm({ schema, data: { a: 'x' } }));
    assert.equal(validationResultOf(state), 'too complex');
    assert.equal(rowAt(state, '/a')?.kind, 'leaf');
  });

  it('reports an invalid schema, and still shows the form', () => {
    const schema = { type: 'object', properties: { a: { type: 'strng' } } };
    const state = checkAll(openForm({ schema, data: { a: 'x' } }));
    assert.equal(validationResultOf(state), 'schema invalid');
    assert.notEqual(schemaFaults(state).length, 0);
    assert.deepEqual(columns(rowsOf(state).rows, 'id', 'text'), [['/a', 'x']]);
  });

  it('checks numbers that JavaScript cannot represent', () => {
    const data = readJson('{"n": 12345678901234567890}');
    const schema = { properties: { n: { type: 'integer', maximum: 10 } } };
    const state = checkAll(openForm({ schema, data }));
    assert.deepEqual(column(state.errors, 'keyword'), ['maximum']);
    assert.deepEqual(plainValue(data), { n: 12_345_678_901_234_567_890n });
  });
});

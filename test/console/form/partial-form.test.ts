import assert from 'node:assert/strict';
import {
  type FormState,
  freeWordsOf,
  leftOutInOpenRows,
  leftOutOfValues,
  openAll,
  openForm,
  rowAt,
  rowsOf,
  withLoadedSubtrees,
  withOpen,
  withServerErrors,
} from '../../../console/src/form/model/index.js';
import { partialSchema, selectSubtrees } from '../../../src/form-model/partial-schema.js';
import { SchemaIndex } from '../../../src/form-model/schema-index.js';
import { column } from '../../support/columns.js';
import { largeModule } from '../../support/large-module.js';
import { compileText } from '../../support/yang.js';

const { schema, uiSchema } = compileText(largeModule({ areas: 3, parts: 2, leaves: 2 }));
const INDEX = SchemaIndex.of({ schema, uiSchema });
assert.ok(INDEX);
const DEVICE = '/device-model:device';
const AREA = '/properties/device-model:device/properties/area-2';

/** Opens the form with the smallest first part. */
function openPartial(data = {}): FormState {
  assert.ok(INDEX);
  return openForm({ ...partialSchema(INDEX, [], 1), data }, { isPartial: true });
}

/** Returns the form with the subtree at a pointer, and nothing below it. */
function load(state: FormState, pointer: string): FormState {
  assert.ok(INDEX);
  return withLoadedSubtrees(state, selectSubtrees(INDEX, { starts: [pointer], characters: 1 }).subtrees);
}

describe('a form whose schema is loaded in parts', () => {
  it('lacks the members of a container that is opened, until they are loaded', () => {
    const closed = openPartial();
    assert.deepEqual(leftOutInOpenRows(closed), []);
    assert.equal(rowAt(closed, DEVICE)?.expandable, true);
    const opened = withOpen(closed, DEVICE, true);
    assert.deepEqual(leftOutInOpenRows(opened), ['/properties/device-model:device']);
    const loaded = load(opened, '/properties/device-model:device');
    assert.deepEqual(leftOutInOpenRows(loaded), []);
    assert.deepEqual(column(rowsOf(loaded).rows, 'key'), [
      'device-model:device',
      'hostname',
      'area-1',
      'area-2',
      'area-3',
    ]);
  });

  it('lacks the fields of values and errors', () => {
    const data = { 'device-model:device': { 'area-2': { 'part-2-1': { 'value-2-1-1': 7 } } } };
    const filled = openPartial(data);
    assert.deepEqual(leftOutOfValues(filled), ['/properties/device-model:device']);
    const next = load(filled, '/properties/device-model:device');
    assert.deepEqual(leftOutOfValues(next), [AREA]);
    const pointer = `${DEVICE}/area-3/part-3-1/value-3-1-1`;
    const refused = withServerErrors(next, [{ pointer, message: 'is refused' }]);
    assert.deepEqual(leftOutOfValues(refused), [AREA, AREA.replace('area-2', 'area-3')]);
    const complete = [AREA, `${AREA}/properties/part-2-1`].reduce(load, next);
    assert.deepEqual(leftOutOfValues(complete), []);
    assert.equal(rowAt(complete, `${DEVICE}/area-2/part-2-1/value-2-1-1`)?.text, '7');
  });

  it('does not open everything at once', () => {
    assert.deepEqual(leftOutInOpenRows(openAll(openPartial())), []);
  });

  it('asks for the words of a search without those about states and types', () => {
    assert.equal(freeWordsOf('is:changed mtu "hold time" type:leafref'), 'mtu hold time');
  });
});

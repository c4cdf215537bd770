import assert from 'node:assert/strict';
import {
  engineReady,
  errorsOf,
  isEngineReady,
  needsEngine,
  openForm,
  prepareChecks,
  prepareSearch,
  rowsOf,
  withFilter,
} from '../../../console/src/form/model/index.js';
import { finish } from '../../../console/src/form/model/slices.js';
import { column } from '../../support/columns.js';

const SCHEMA = { type: 'object', properties: { 'hold-time': { type: 'integer' }, mtu: { type: 'integer' } } };

describe('the preparation of a form', () => {
  it('is possible at once where the engine is part of the page', async () => {
    await engineReady();
    assert.equal(isEngineReady(), true);
  });

  it('checks the values that were entered before the form could be checked, and no others', () => {
    const opened = openForm({ schema: SCHEMA, data: { mtu: 'small' } });
    const edited = { ...opened, data: { mtu: 'small', 'hold-time': 'soon' } };
    assert.deepEqual(errorsOf(prepareChecks(edited, false)), []);
    assert.deepEqual(column(errorsOf(prepareChecks(edited, true)), 'pointer'), ['/hold-time']);
  });

  it('leaves a form with an invalid schema as it is', () => {
    const state = openForm({ schema: { type: 'unknown' } });
    assert.equal(prepareChecks(state, true), state);
  });

  it('creates the index that a search uses', () => {
    const state = openForm({ schema: SCHEMA });
    finish(prepareSearch(state));
    assert.equal(rowsOf(withFilter(state, 'hold')).hits, 1);
  });
});

describe('a form whose fields depend on a validation', () => {
  for (const schema of [
    { properties: { site: { if: {}, then: {} } } },
    { $defs: { peer: { anyOf: [{ type: 'string' }] } } },
    { items: [{ oneOf: [] }] },
    { patternProperties: { '^x-': {} } },
  ])
    it(`needs the engine: ${JSON.stringify(schema)}`, () => {
      assert.equal(needsEngine(schema), true);
    });

  it('is told from one that does not', () => {
    assert.equal(needsEngine(SCHEMA), false);
    assert.equal(needsEngine(true), false);
  });
});

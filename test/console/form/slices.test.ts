import assert from 'node:assert/strict';
import { SchemaDocument } from '../../../console/src/form/model/field/schema-document.js';
import { findRows, openForm, rowsOf, withFilter } from '../../../console/src/form/model/index.js';
import {
  finish,
  runInSlices,
  runSlice,
  type Slices,
  type Work,
} from '../../../console/src/form/model/slices.js';
import { columns } from '../../support/columns.js';

const leaf = (at: number) => ({ type: 'string', title: `Leaf ${at}` });
const group = (at: number) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 20 }, (_, leafAt) => [`l${at}-${leafAt}`, leaf(leafAt)]),
  ),
});
const SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`g${at}`, group(at)])),
};

/** Work that yields a number of times. */
function* counting(steps: number): Work<string> {
  for (let at = 0; at < steps; at += 1) yield;
  return 'done';
}

/** Slices in which each look at the clock takes a millisecond. */
function slicesWith(over: Partial<Slices> = {}): Slices & { readonly pauses: () => number } {
  let [time, pauses] = [0, 0];
  return {
    milliseconds: 10,
    now: () => (time += 1),
    pause: () => {
      pauses += 1;
      return Promise.resolve();
    },
    isCancelled: () => false,
    pauses: () => pauses,
    ...over,
  };
}

describe('work in slices', () => {
  it('ends in the first slice if it is short', () => {
    assert.deepEqual(runSlice(counting(3), slicesWith()), { result: 'done' });
  });

  it('continues after the pauses, and has the same result', async () => {
    const slices = slicesWith();
    assert.deepEqual(await runInSlices(counting(35), slices), { result: 'done' });
    assert.equal(slices.pauses(), 3);
  });

  it('ends without a result if nobody needs it', async () => {
    assert.equal(await runInSlices(counting(100), slicesWith({ isCancelled: () => true })), undefined);
  });
});

describe('a search in slices', () => {
  for (const filter of ['l7-3', 'Leaf 11', 'type:string', 'is:required', 'g5/l5-1', '"Leaf 1" l3'])
    it(`finds with ${filter} what a search at once finds`, async () => {
      const state = openForm({ schema: SCHEMA });
      const slices = slicesWith();
      const done = await runInSlices(findRows(withFilter(state, filter)), slices);
      assert.ok(done);
      const atOnce = rowsOf(withFilter(openForm({ schema: SCHEMA }), filter));
      assert.deepEqual(columns(done.result.rows, 'id', 'hit'), columns(atOnce.rows, 'id', 'hit'));
      assert.equal(done.result.hits, atOnce.hits);
    });

  it('has its rows ready for the state', async () => {
    const next = withFilter(openForm({ schema: SCHEMA }), 'Leaf 3');
    const done = await runInSlices(findRows(next), slicesWith());
    assert.equal(rowsOf(next), done?.result);
  });

  it('completes the index in steps, which two searches may take in turn', () => {
    const { index } = new SchemaDocument(SCHEMA);
    const [one, other] = [index.search({ text: /l7-3/iu }), index.search({ text: /l8-3/iu })];
    let steps = 0;
    while (one.next().done !== true) {
      other.next();
      steps += 1;
    }
    assert.ok(steps > 2);
    finish(other);
    const alone = new SchemaDocument(SCHEMA).index;
    for (const text of [/l7-3/iu, /l8-3/iu]) assert.deepEqual(index.inside({ text }), alone.inside({ text }));
  });
});

import assert from 'node:assert/strict';
import { type FormState, openForm, rowsOf } from '../../../console/src/form/model/index.js';
import type { Slices } from '../../../console/src/form/model/slices.js';
import type { FormController } from '../../../console/src/form/view/form-controller.js';
import { applyFilter, applyFilterNow } from '../../../console/src/form/view/toolbar/apply-filter.js';

const properties = Object.fromEntries(
  Array.from({ length: 500 }, (_, at) => [`leaf${at}`, { type: 'string' }]),
);

/** A controller with a form, and slices of one step whose pauses end when the test says so. */
function openBench() {
  let state = openForm({ schema: { type: 'object', properties } });
  const said: string[] = [];
  let resume: (() => void)[] = [];
  const controller = {
    now: () => state,
    change: (next: FormState) => (state = next),
    announce: (text: string) => said.push(text),
  } as unknown as FormController;
  const slicesOf = (isCancelled: () => boolean): Slices => ({
    milliseconds: 0,
    now: () => 0,
    pause: () => new Promise((resolve) => resume.push(resolve)),
    isCancelled,
  });
  /** Lets all searches go on to their ends. */
  const settle = async () => {
    while (resume.length > 0) {
      const waiting = resume;
      resume = [];
      for (const one of waiting) one();
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { controller, said, slicesOf, settle };
}

describe('a filter of a large form', () => {
  it('changes the rows when the search has ended', async () => {
    const { controller, said, slicesOf, settle } = openBench();
    applyFilter(controller, 'leaf42', slicesOf);
    assert.equal(controller.now().filter, '');
    await settle();
    assert.equal(controller.now().filter, 'leaf42');
    assert.equal(rowsOf(controller.now()).hits, 11);
    assert.equal(said.length, 1);
  });

  it('is replaced by a newer one', async () => {
    const { controller, said, slicesOf, settle } = openBench();
    applyFilter(controller, 'leaf1', slicesOf);
    applyFilter(controller, 'leaf2', slicesOf);
    await settle();
    assert.deepEqual([controller.now().filter, said.length], ['leaf2', 1]);
  });

  it('is applied to what the form has become in the meantime', async () => {
    const { controller, slicesOf, settle } = openBench();
    applyFilter(controller, 'leaf1', slicesOf);
    const changed = { ...controller.now(), open: new Map([['/leaf1', true]]) };
    controller.change(changed);
    await settle();
    assert.deepEqual([controller.now().filter, controller.now().open], ['leaf1', changed.open]);
  });

  it('is applied at once when the user presses Enter', async () => {
    const { controller, slicesOf, settle } = openBench();
    applyFilter(controller, 'leaf1', slicesOf);
    applyFilterNow(controller, 'leaf3');
    await settle();
    assert.equal(controller.now().filter, 'leaf3');
  });
});

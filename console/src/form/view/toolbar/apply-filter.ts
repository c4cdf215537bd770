import {
  findRows,
  type FormState,
  rowsOf,
  runInSlices,
  runSlice,
  type Slices,
  withFilter,
} from '../../model/index.js';
import type { FormController } from '../form-controller.js';
import { formText } from '../form-text.js';

/** The newest search of each form. */
const newest = new WeakMap<FormController, object>();

/**
 * Filters the rows and announces the number of matches. The search in a large schema runs in slices, and the rows change
 * when it has ended. A newer filter cancels it.
 */
export function applyFilter(
  controller: FormController,
  filter: string,
  slicesOf: (isCancelled: () => boolean) => Slices = pageSlices,
): void {
  const search = {};
  newest.set(controller, search);
  const slices = slicesOf(() => newest.get(controller) !== search);
  const from = controller.now();
  const next = withFilter(from, filter);
  const work = findRows(next);
  if (runSlice(work, slices)) show(controller, next);
  else void showLater(controller, { from, next, work }, slices);
}

/** Filters the rows and announces the number of matches, without a pause. */
export function applyFilterNow(controller: FormController, filter: string): void {
  newest.delete(controller);
  show(controller, withFilter(controller.now(), filter));
}

/** A search that has begun: the state that it is for, and the same state with the filter. */
interface BegunSearch {
  readonly from: FormState;
  readonly next: FormState;
  readonly work: ReturnType<typeof findRows>;
}

async function showLater(controller: FormController, begun: BegunSearch, slices: Slices): Promise<void> {
  let { from, next, work } = begun;
  while (await runInSlices(work, slices)) {
    if (controller.now() === from) {
      show(controller, next);
      return;
    }
    // The form has changed in the meantime.
    from = controller.now();
    next = withFilter(from, begun.next.filter);
    work = findRows(next);
  }
}

function show(controller: FormController, next: FormState): void {
  controller.change(next);
  controller.announce(next.filter.trim() === '' ? '' : formText('hits', { count: rowsOf(next).hits }));
}

/** Length of a slice of work in milliseconds. A page that waits up to 50 ms seems to react at once. */
const SLICE_MS = 30;

/** Returns slices of the work of a page, between which it takes events and draws. */
export function pageSlices(isCancelled: () => boolean): Slices {
  return {
    milliseconds: SLICE_MS,
    now: () => performance.now(),
    pause: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 0);
      }),
    isCancelled,
  };
}

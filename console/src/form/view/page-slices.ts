import type { Slices } from '../model/index.js';

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

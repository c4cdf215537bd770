import type { CancelSignal } from '../cancel-signal.js';

/** Rejects with the signal's reason, a Problem, when the signal fires; otherwise never settles. */
export function rejectOnAbort(signal: CancelSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

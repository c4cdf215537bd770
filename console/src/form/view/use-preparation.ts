import { useEffect } from 'react';
import {
  engineReady,
  type FormState,
  isEngineReady,
  prepareChecks,
  prepareSearch,
  runInSlices,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import { pageSlices } from './page-slices.js';

/** Longest time that the work waits for an idle browser, in milliseconds. */
const MAX_WAIT_MS = 5000;

/**
 * Prepares checks and searches while the browser is idle, so that neither the first typed letter nor the first search
 * has to wait. Values that were entered before the form could be checked are checked then.
 */
export function usePreparation(
  controller: FormController,
  form: FormState['form'],
  isEnabled: boolean,
): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isClosed = false;
    const areUnchecked = !isEngineReady();
    const whenIdle = (work: () => void) => onIdle(() => !isClosed && work());
    void engineReady().then(() =>
      whenIdle(() => {
        controller.change(prepareChecks(controller.now(), areUnchecked));
        whenIdle(
          () =>
            void runInSlices(
              prepareSearch(controller.now()),
              pageSlices(() => isClosed),
            ),
        );
      }),
    );
    return () => {
      isClosed = true;
    };
  }, [controller, form, isEnabled]);
}

/** Calls back when the browser is idle; after a short time in a browser that does not report it. */
function onIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: MAX_WAIT_MS });
  else setTimeout(work, 200);
}

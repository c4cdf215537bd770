import { useEffect, useMemo, useRef } from 'react';
import {
  engineReady,
  type FormState,
  isEngineReady,
  prepareChecks,
  prepareSearch,
  runInSlices,
} from '../model/index.js';
import { createBindingLoader, type ResolveBinding } from './binding-loader.js';
import type { FormController } from './form-controller.js';
import { createSubtreeLoader, type LoadSubtrees } from './subtree-loader.js';
import { pageSlices } from './toolbar/apply-filter.js';

/**
 * Loads the options and defaults of all bound fields, and updates the form; again when a field changes on which a
 * query depends.
 */
export function useBindings(
  controller: FormController,
  { form, data }: Pick<FormState, 'form' | 'data'>,
  resolve: ResolveBinding | undefined,
): void {
  const resolver = useRef(resolve);
  resolver.current = resolve;
  const isEnabled = resolve !== undefined;
  const loader = useMemo(
    () =>
      isEnabled
        ? createBindingLoader(controller, async (binding, values) => {
            if (!resolver.current) throw new Error('The form cannot send queries.');
            return resolver.current(binding, values);
          })
        : undefined,
    // Another form has other bindings.
    [controller, form, isEnabled],
  );
  useEffect(() => () => loader?.close(), [loader]);
  useEffect(() => loader?.update(), [loader, data]);
}

/** Loads the parts of the schema that the form lacks, when the user opens or searches them. */
export function useSubtrees(
  controller: FormController,
  state: FormState,
  load: LoadSubtrees | undefined,
): void {
  const latest = useRef(load);
  latest.current = load;
  const isEnabled = load !== undefined && state.form.isPartial;
  const loader = useMemo(
    () =>
      isEnabled
        ? createSubtreeLoader(controller, async (wanted) => {
            if (!latest.current) throw new Error('The form cannot load its parts.');
            return latest.current(wanted);
          })
        : undefined,
    [controller, isEnabled],
  );
  useEffect(() => {
    controller.setLoader(loader);
    return () => {
      controller.setLoader(undefined);
      loader?.close();
    };
  }, [controller, loader]);
  useEffect(() => loader?.update(), [loader, state]);
}

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

import { useEffect, useMemo, useRef } from 'react';
import type { FormState } from '../model/index.js';
import type { FormController } from './form-controller.js';
import { createSubtreeLoader, type LoadSubtrees } from './subtree-loader.js';

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

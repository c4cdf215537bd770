import { useEffect, useMemo, useRef } from 'react';
import type { FormState } from '../model/index.js';
import { createBindingLoader, type ResolveBinding } from './binding-loader.js';
import type { FormController } from './form-controller.js';

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

import { useEffect, useRef } from 'react';
import {
  bindingsOf,
  type BoundOptions,
  defaultFrom,
  type FormBinding,
  type FormState,
  type Json,
  optionsFrom,
  withDefault,
  withOptions,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import { textOf } from '../../text/text.js';

const formText = textOf('form');

/**
 * Maximum number of queries of a form. Forms are untrusted, and their queries run with the permissions of the
 * current user.
 */
const MAX_QUERIES = 100;

/**
 * Loads the options and defaults of all bound fields, and updates the form. Fields with the same query share
 * one request.
 */
export function useBindings(
  controller: FormController,
  form: FormState['form'],
  resolve: ((binding: FormBinding) => Promise<Json>) | undefined,
): void {
  const resolver = useRef(resolve);
  resolver.current = resolve;
  const isEnabled = resolve !== undefined;
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isUnmounted = false;
    const responses = new Map<string, Promise<Json>>();
    const responseTo = (binding: FormBinding): Promise<Json> => {
      const key = keyOf(binding);
      const known = responses.get(key);
      if (known) return known;
      if (responses.size >= MAX_QUERIES)
        return Promise.reject(new Error(`The form has more than ${MAX_QUERIES} queries.`));
      const response =
        resolver.current?.(binding) ?? Promise.reject(new Error('The form cannot send queries here.'));
      responses.set(key, response);
      return response;
    };
    const loadOptions = (binding: FormBinding) => {
      const update = (result: BoundOptions) => {
        if (!isUnmounted) controller.change(withOptions(controller.now(), binding.path, result));
      };
      update({ state: 'waiting' });
      responseTo(binding).then(
        (response) => update({ state: 'ready', options: optionsFrom(binding, response) }),
        (reason: unknown) => update({ state: 'failed', message: messageOf(reason) }),
      );
    };
    const loadDefault = (binding: FormBinding) => {
      responseTo(binding).then(
        (response) => {
          const value = defaultFrom(binding, response);
          if (!isUnmounted && value !== undefined)
            controller.change(withDefault(controller.now(), binding.path, value));
        },
        (reason: unknown) => {
          if (!isUnmounted)
            controller.announce(formText('noDefault', { path: binding.path, reason: messageOf(reason) }));
        },
      );
    };
    for (const binding of bindingsOf(controller.now())) {
      const { bound, defaults } = controller.now();
      const { path, target } = binding;
      if (target === '/enum' && bound.get(path)?.state !== 'ready') loadOptions(binding);
      if (target === '/default' && !defaults.has(path)) loadDefault(binding);
    }
    return () => {
      isUnmounted = true;
    };
  }, [controller, form, isEnabled]);
}

function keyOf({ method, href, mediaType, variables, target, source }: FormBinding): string {
  return JSON.stringify([method, href, mediaType, variables, target, source]);
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

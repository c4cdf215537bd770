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

/**
 * Maximum number of queries of a form: forms are untrusted, and their queries run with the permissions of the
 * current user.
 */
const MOST = 100;

/**
 * Queries the source of every bound field once, shares the response between fields with the same query, and
 * updates the form.
 */
export function useBindings(
  desk: FormController,
  form: FormState['form'],
  resolve: ((binding: FormBinding) => Promise<Json>) | undefined,
): void {
  const ask = useRef(resolve);
  ask.current = resolve;
  const isAsking = resolve !== undefined;
  useEffect(() => {
    if (!isAsking) return undefined;
    let isOver = false;
    const asked = new Map<string, Promise<Json>>();
    const answerTo = (binding: FormBinding): Promise<Json> => {
      const question = questionOf(binding);
      const known = asked.get(question);
      if (known) return known;
      if (asked.size >= MOST) return Promise.reject(new Error(`The form asks more than ${MOST} questions.`));
      const answer =
        ask.current?.(binding) ?? Promise.reject(new Error('The form cannot send queries here.'));
      asked.set(question, answer);
      return answer;
    };
    const askForOptions = (binding: FormBinding) => {
      const tell = (bound: BoundOptions) => {
        if (!isOver) desk.change(withOptions(desk.now(), binding.path, bound));
      };
      tell({ state: 'waiting' });
      answerTo(binding).then(
        (answer) => tell({ state: 'ready', options: optionsFrom(binding, answer) }),
        (reason: unknown) => tell({ state: 'failed', message: messageOf(reason) }),
      );
    };
    const askForDefault = (binding: FormBinding) => {
      answerTo(binding).then(
        (answer) => {
          const value = defaultFrom(binding, answer);
          if (!isOver && value !== undefined) desk.change(withDefault(desk.now(), binding.path, value));
        },
        (reason: unknown) => {
          if (!isOver) desk.say(desk.labels.noDefault(binding.path, messageOf(reason)));
        },
      );
    };
    for (const binding of bindingsOf(desk.now())) {
      const { bound, defaults } = desk.now();
      const { path, target } = binding;
      if (target === '/enum' && bound.get(path)?.state !== 'ready') askForOptions(binding);
      if (target === '/default' && !defaults.has(path)) askForDefault(binding);
    }
    return () => {
      isOver = true;
    };
  }, [desk, form, isAsking]);
}

function questionOf({ method, href, mediaType, variables }: FormBinding): string {
  return JSON.stringify([method, href, mediaType, variables]);
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

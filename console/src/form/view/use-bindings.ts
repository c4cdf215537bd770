import { useEffect, useRef } from 'react';
import {
  bindingsOf,
  type BoundOptions,
  type FormBinding,
  type FormState,
  type Json,
  optionsFrom,
  withOptions,
} from '../model/index.js';
import type { Desk } from './desk.js';

/** A form is somebody else's, and asks with the rights of whoever looks: not for more than this. */
const MOST = 100;

/** Asks once for the options of every bound field, the same question for all fields that have it, and tells the form what came. */
export function useBindings(
  desk: Desk,
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
      const answer = ask.current?.(binding) ?? Promise.reject(new Error('Nobody can be asked.'));
      asked.set(question, answer);
      return answer;
    };
    const tell = (path: string, bound: BoundOptions) => {
      if (!isOver) desk.change(withOptions(desk.now(), path, bound));
    };
    for (const binding of bindingsOf(desk.now())) {
      if (binding.target !== '/enum' || desk.now().bound.get(binding.path)?.state === 'ready') continue;
      tell(binding.path, { state: 'waiting' });
      answerTo(binding).then(
        (answer) => tell(binding.path, { state: 'ready', options: optionsFrom(binding, answer) }),
        (reason: unknown) => tell(binding.path, { state: 'failed', message: messageOf(reason) }),
      );
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

import { type RefObject, useMemo } from 'react';
import {
  canRedo,
  canUndo,
  checkAll,
  type FormState,
  nextError,
  redo,
  undo,
  validationResultOf,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import type { FormActions } from './form-keys.js';

export interface ActionFacts {
  readonly desk: FormController;
  readonly root: RefObject<HTMLElement | null>;
  /** Returns the id of the current row. */
  readonly here: () => string | undefined;
}

/** Returns the actions of the form's keys and tools. */
export function useFormActions({ desk, root, here }: ActionFacts): FormActions {
  return useMemo(
    () => ({
      submit: () => submit(desk),
      undo: () => stepBack(desk),
      redo: () => stepForth(desk),
      search: () => root.current?.querySelector<HTMLElement>('.gf-search input')?.focus(),
      keys: () => desk.show({ kind: 'keys' }),
      nextError: (step) => {
        const id = nextError(desk.now(), here(), step);
        if (id === undefined) desk.say(desk.labels.noErrors);
        else desk.goTo({ id, stop: 0 });
      },
    }),
    [desk, root, here],
  );
}

/** Undoes a step and announces it. */
export function stepBack(desk: FormController): void {
  if (!canUndo(desk.now())) return;
  desk.change(undo(desk.now()));
  desk.say(desk.labels.undone);
}

/** Redoes a step and announces it. */
export function stepForth(desk: FormController): void {
  if (!canRedo(desk.now())) return;
  desk.change(redo(desk.now()));
  desk.say(desk.labels.redone);
}

/** Checks the whole document; shows the changes if it is valid, and the errors otherwise. */
export function submit(desk: FormController): void {
  desk.flush();
  const checked: FormState = checkAll(desk.now());
  desk.change(checked);
  if (validationResultOf(checked) === 'invalid') desk.show({ kind: 'errors' });
  else desk.show({ kind: 'changes' });
}

import { type RefObject, useMemo } from 'react';
import {
  canRedo,
  canUndo,
  checkAll,
  type FormState,
  nextError,
  redo,
  undo,
  verdictOf,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import type { FormActions } from './form-keys.js';

export interface ActionFacts {
  readonly desk: FormController;
  readonly root: RefObject<HTMLElement | null>;
  /** Where the person is. */
  readonly here: () => string | undefined;
}

/** What the keys and the tools of a form do. */
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

/** Takes one step back, and says so. */
export function stepBack(desk: FormController): void {
  if (!canUndo(desk.now())) return;
  desk.change(undo(desk.now()));
  desk.say(desk.labels.undone);
}

/** Takes a step again that was taken back. */
export function stepForth(desk: FormController): void {
  if (!canRedo(desk.now())) return;
  desk.change(redo(desk.now()));
  desk.say(desk.labels.redone);
}

/** Checks everything; shows the changes when all is well, and the errors when not. */
export function submit(desk: FormController): void {
  desk.flush();
  const checked: FormState = checkAll(desk.now());
  desk.change(checked);
  if (verdictOf(checked) === 'invalid') desk.show({ kind: 'errors' });
  else desk.show({ kind: 'changes' });
}

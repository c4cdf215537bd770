import { completed } from '../completion/complete.js';
import { isWithin } from '../json/json.js';
import type { Content, FormState, Step } from './form-state.js';

const UNDO_LIMIT = 200;

/** The result of an edit, before it is added to the history. */
interface Commit {
  readonly content: Partial<Content>;
  /** The edited location. Its errors are removed. */
  readonly pointer: string;
  /**
   * Consecutive edits with the same name are one undo step. An edit with an empty name is a step on its own.
   */
  readonly editName: string;
}

/** Returns the state after an edit that can be undone. */
export function committed(state: FormState, { content, pointer, editName }: Commit): FormState {
  const errors = content.errors ?? state.errors;
  const { past, form } = state;
  const before = contentOf(state);
  const continuesLast = editName !== '' && past.at(-1)?.editName === editName && state.future.length === 0;
  return completed(state, {
    ...state,
    ...content,
    errors: errors.some((error) => isWithin(error.pointer, pointer))
      ? errors.filter((error) => !isWithin(error.pointer, pointer))
      : errors,
    validationResult: 'unchecked',
    past: continuesLast
      ? past
      : [...past, { content: before, editName }].slice(-(form.options.undoLimit ?? UNDO_LIMIT)),
    future: [],
  });
}

export function canUndo({ past }: FormState): boolean {
  return past.length > 0;
}

export function canRedo({ future }: FormState): boolean {
  return future.length > 0;
}

/** Returns the state before the last edit; the same state if there is none. */
export function undo(state: FormState): FormState {
  return withStep(state, 'past', 'future');
}

/** Returns the state after the last undone edit; the same state if there is none. */
export function redo(state: FormState): FormState {
  return withStep(state, 'future', 'past');
}

function withStep(state: FormState, from: 'past' | 'future', to: 'past' | 'future'): FormState {
  const step = state[from].at(-1);
  if (!step) return state;
  const back = { content: contentOf(state), editName: step.editName };
  return {
    ...state,
    ...restoredContent(state, step),
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], back],
  };
}

/** Returns the content of a step. Rows stay open unless the edit may have changed ids of list entries. */
function restoredContent({ open }: FormState, { content, editName }: Step): Content {
  return editName === '' ? content : { ...content, open };
}

function contentOf({ data, chosen, stashed, hidden, open, errors, validationResult }: FormState): Content {
  return { data, chosen, stashed, hidden, open, errors, validationResult };
}

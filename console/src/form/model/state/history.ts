import { isWithin } from '../json/locations.js';
import type { Content, FormState, Step } from './form-state.js';

const UNDO_LIMIT = 200;

/** What an edit did. */
export interface Done {
  readonly content: Partial<Content>;
  /** Place that was edited; errors there are out of date. */
  readonly pointer: string;
  /** Edits that are called the same, one after the other, are undone together; an empty name is like no other. */
  readonly what: string;
}

/** The state after an edit, which can be undone. */
export function committed(state: FormState, { content, pointer, what }: Done): FormState {
  const errors = content.errors ?? state.errors;
  const { past, form } = state;
  const before = contentOf(state);
  const goesOn = what !== '' && past.at(-1)?.what === what && state.future.length === 0;
  return {
    ...state,
    ...content,
    errors: errors.some((error) => isWithin(error.pointer, pointer))
      ? errors.filter((error) => !isWithin(error.pointer, pointer))
      : errors,
    verdict: 'unchecked',
    past: goesOn ? past : [...past, { content: before, what }].slice(-(form.options.undoLimit ?? UNDO_LIMIT)),
    future: [],
  };
}

/** Whether there is something to undo. */
export function canUndo({ past }: FormState): boolean {
  return past.length > 0;
}

/** Whether there is something to do again. */
export function canRedo({ future }: FormState): boolean {
  return future.length > 0;
}

/** The state before the last edit; the same one when there was none. */
export function undo(state: FormState): FormState {
  const step = state.past.at(-1);
  if (!step) return state;
  return {
    ...state,
    ...broughtBack(state, step),
    past: state.past.slice(0, -1),
    future: [...state.future, undone(state, step)],
  };
}

/** The state after the edit that was undone last; the same one when there was none. */
export function redo(state: FormState): FormState {
  const step = state.future.at(-1);
  if (!step) return state;
  return {
    ...state,
    ...broughtBack(state, step),
    past: [...state.past, undone(state, step)],
    future: state.future.slice(0, -1),
  };
}

/** Rows stay open as they are now, unless entries of lists may have other ids. */
function broughtBack({ open }: FormState, { content, what }: Step): Content {
  return what === '' ? content : { ...content, open };
}

function undone(state: FormState, { what }: Step): Step {
  return { content: contentOf(state), what };
}

function contentOf({ data, chosen, aside, open, errors, verdict }: FormState): Content {
  return { data, chosen, aside, open, errors, verdict };
}

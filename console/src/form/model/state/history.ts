import { isWithin } from '../json/locations.js';
import type { Content, FormState, Step } from './form-state.js';

const UNDO_LIMIT = 200;

/** Result of an edit. */
export interface Done {
  readonly content: Partial<Content>;
  /** Location that was edited; its errors are out of date. */
  readonly pointer: string;
  /** Consecutive edits with the same name are undone together; an empty name is never merged. */
  readonly what: string;
}

/** Returns the state after an edit that can be undone. */
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

/** True if there is an edit to undo. */
export function canUndo({ past }: FormState): boolean {
  return past.length > 0;
}

/** True if there is an edit to redo. */
export function canRedo({ future }: FormState): boolean {
  return future.length > 0;
}

/** Returns the state before the last edit; the same state if there is none. */
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

/** Returns the state after the last undone edit; the same state if there is none. */
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

/** Keeps rows open as they are now, unless ids of list entries may have changed. */
function broughtBack({ open }: FormState, { content, what }: Step): Content {
  return what === '' ? content : { ...content, open };
}

function undone(state: FormState, { what }: Step): Step {
  return { content: contentOf(state), what };
}

function contentOf({ data, chosen, aside, open, errors, verdict }: FormState): Content {
  return { data, chosen, aside, open, errors, verdict };
}

import { createContext, useContext } from 'react';
import type { Edit, FormState } from '../model/index.js';
import type { Labels } from './labels.js';

/** The open dialog. `id` is the id of its row. */
export type DialogKind =
  | { readonly kind: 'changes' | 'errors' | 'export' | 'keys' }
  | { readonly kind: 'json' | 'table' | 'member'; readonly id: string };

/** Position of the person in the grid. */
export interface CursorPosition {
  readonly id: string;
  /** 0 for the row itself; its cells and buttons count from 1. */
  readonly stop: number;
  /**
   * Initial text of the editor; without `seed` the editor starts with the value. Undefined while nothing is
   * edited.
   */
  readonly editing?: { readonly seed?: string } | undefined;
}

/**
 * Operations that are shared by all parts of the form. The object stays the same as long as the form is
 * shown, so that rows are rendered again only if their own props change. `now` returns the current state,
 * also during an event.
 */
export interface FormController {
  readonly labels: Labels;
  readonly canEdit: boolean;
  readonly now: () => FormState;
  readonly change: (next: FormState) => void;
  /** Applies an edit, and checks its location. */
  readonly edit: (edit: Edit) => void;
  readonly goTo: (place: CursorPosition) => void;
  /** Ends editing of a row; `stay` moves the focus back to its value. */
  readonly leave: (id: string, stay: boolean) => void;
  readonly show: (sheet: DialogKind | undefined) => void;
  /** Announces a text in the live region. */
  readonly say: (text: string) => void;
  /**
   * Registers (or, with `undefined`, removes) a pending text that must be accepted before the next operation.
   */
  readonly hold: (take: (() => void) | undefined) => void;
  /** Accepts the pending text of the open editor. */
  readonly flush: () => void;
}

const DeskContext = createContext<FormController | undefined>(undefined);

/** Provides the form controller to all parts of a form. */
export const DeskProvider = DeskContext.Provider;

/** Returns the form controller of the enclosing form. */
export function useDesk(): FormController {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A part of a form is used outside of a form.');
  return desk;
}

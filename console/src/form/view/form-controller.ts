import { createContext, useContext } from 'react';
import type { Edit, FormState } from '../model/index.js';
import type { Labels } from './labels.js';

/** What lies over the form. `id` is that of the row it is about. */
export type DialogKind =
  | { readonly kind: 'changes' | 'errors' | 'export' | 'keys' }
  | { readonly kind: 'json' | 'table' | 'member'; readonly id: string };

/** Where a person is in the grid. */
export interface CursorPosition {
  readonly id: string;
  /** 0 for the row itself, else the cells and buttons of the row from 1. */
  readonly stop: number;
  /** What the editor begins with; an empty editor of the value when `seed` is left out; undefined while nothing is edited. */
  readonly editing?: { readonly seed?: string } | undefined;
}

/**
 * What every part of the form may do. It stays the same object as long as the form is shown, so that rows are drawn again
 * only when something of theirs has changed; `now` is the state at this moment, also in the middle of an event.
 */
export interface FormController {
  readonly labels: Labels;
  readonly canEdit: boolean;
  readonly now: () => FormState;
  readonly change: (next: FormState) => void;
  /** Does it, and checks the place. */
  readonly edit: (edit: Edit) => void;
  readonly goTo: (place: CursorPosition) => void;
  /** Ends the edit of a row; `stay` brings the focus back to its value. */
  readonly leave: (id: string, stay: boolean) => void;
  readonly show: (sheet: DialogKind | undefined) => void;
  /** Says it in the live region. */
  readonly say: (text: string) => void;
  /** Begins or ends (`undefined`) something that is to be taken over before anything else happens. */
  readonly hold: (take: (() => void) | undefined) => void;
  /** Takes over what somebody is still writing. */
  readonly flush: () => void;
}

const DeskContext = createContext<FormController | undefined>(undefined);

/** Hands the desk to all parts of a form. */
export const DeskProvider = DeskContext.Provider;

/** The desk of the form that a part belongs to. */
export function useDesk(): FormController {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A part of a form stands outside of one.');
  return desk;
}

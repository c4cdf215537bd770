import { createContext, type RefObject, useContext, useMemo, useRef, useState } from 'react';
import { applyEdit, checkAt, type Edit, type FormState, reveal, rowsOf } from '../model/index.js';
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

export interface DeskFacts {
  readonly state: FormState;
  readonly onChange: (next: FormState) => void;
  readonly labels: Labels;
  readonly canEdit: boolean;
}

/** The controller of a form, and interaction state that is not part of the form. */
export interface DeskOf {
  readonly desk: FormController;
  readonly place: CursorPosition | undefined;
  /** True until the position has the focus. */
  readonly wanted: RefObject<boolean>;
  readonly sheet: DialogKind | undefined;
  readonly said: string;
}

/** Creates the controller of a form. */
export function useDeskOf({ state, onChange, labels, canEdit }: DeskFacts): DeskOf {
  const [place, setPlace] = useState<CursorPosition>();
  const [sheet, setSheet] = useState<DialogKind>();
  const [said, say] = useState('');
  const wanted = useRef(false);
  const held = useRef<() => void>(undefined);
  // One event may cause several operations; each works on the result of the previous one.
  const live = useRef({ state, onChange });
  live.current = { state, onChange };

  const desk = useMemo<FormController>(() => {
    const now = () => live.current.state;
    const change = (next: FormState) => {
      if (next === now()) return;
      live.current = { ...live.current, state: next };
      live.current.onChange(next);
    };
    const hold = (take: (() => void) | undefined) => {
      held.current = take;
    };
    return {
      labels,
      canEdit,
      now,
      change,
      edit: (edit) => change(edited(now(), edit)),
      goTo: (next) => {
        if (rowsOf(now()).indexOf(next.id) < 0) change(reveal(now(), next.id));
        wanted.current = true;
        setPlace(next);
      },
      leave: (id, stay) => {
        if (stay) wanted.current = true;
        setPlace((known) => (known?.id === id ? { id, stop: known.stop } : known));
      },
      show: setSheet,
      say,
      hold,
      flush: () => {
        held.current?.();
        hold(undefined);
      },
    };
  }, [labels, canEdit]);
  return { desk, place, wanted, sheet, said };
}

/** Applies an edit and checks edited values at once; new entries are checked when they are filled in. */
function edited(state: FormState, edit: Edit): FormState {
  const next = applyEdit(state, edit);
  const isWritten = edit.kind === 'set' || edit.kind === 'clear' || edit.kind === 'revert';
  return next !== state && isWritten ? checkAt(next, edit.pointer) : next;
}

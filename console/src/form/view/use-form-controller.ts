import { type RefObject, useMemo, useRef, useState } from 'react';
import { applyEdit, checkAt, type Edit, type FormState, reveal, rowsOf } from '../model/index.js';
import type { FormController, CursorPosition, DialogKind } from './form-controller.js';
import type { Labels } from './labels.js';

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

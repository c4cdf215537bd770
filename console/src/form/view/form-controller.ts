import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef, useState } from 'react';
import { errorMessage } from '../../../../src/lib/error-message.js';
import { applyEdit, checkAt, type Edit, type FormState, reveal, type Row, rowsOf } from '../model/index.js';
import { formText } from './form-text.js';
import type { SubtreeLoader } from './subtree-loader.js';

/** The open dialog. `id` is the id of the row that the dialog edits. */
export type DialogKind =
  | { readonly kind: 'changes' | 'errors' | 'export' | 'keys' }
  | { readonly kind: 'json' | 'table' | 'member' | 'pick'; readonly id: string }
  /** Asks whether a pasted text is imported into a list. */
  | { readonly kind: 'csv'; readonly id: string; readonly text: string };

/** A dialog of the page around the form in which the user chooses the value of a field. */
export interface ValuePicker {
  /** Text of the button that opens the dialog, and title of the dialog. */
  readonly title: string;
  /** Returns true for a field that has the button. */
  readonly isFor: (row: Row) => boolean;
  /** Renders the content of the dialog; `choose` sets the value and closes the dialog. */
  readonly render: (choose: (value: string) => void) => ReactNode;
}

/** Position of the keyboard focus in the form. */
export interface CursorPosition {
  readonly id: string;
  /** Tab stop in the row: 0 is the row itself, its cells and buttons count from 1. */
  readonly stop: number;
  /** Set while the row is edited. Without `initialText`, the editor starts with the value of the row. */
  readonly editing?: { readonly initialText?: string } | undefined;
}

/**
 * Operations that all parts of the form share. The object stays the same while the form is shown, so that a
 * row is rendered again only if its props change. `now` returns the current state, also during an event.
 */
export interface FormController {
  readonly canEdit: boolean;
  readonly picker?: ValuePicker | undefined;
  readonly now: () => FormState;
  readonly change: (next: FormState) => void;
  /** Applies an edit and validates its location. */
  readonly edit: (edit: Edit) => void;
  readonly goTo: (cursor: CursorPosition) => void;
  /** Makes the row with the focus the current row. */
  readonly track: (id: string) => void;
  /** Ends editing of a row; `stay` moves the focus back to its value. */
  readonly leave: (id: string, stay: boolean) => void;
  readonly showDialog: (dialog: DialogKind | undefined) => void;
  /** Announces a text in the live region. */
  readonly announce: (text: string) => void;
  /** Registers the function that accepts the text of the open editor; `undefined` removes it. */
  readonly setPending: (accept: (() => void) | undefined) => void;
  /** Registers the loader of a form whose schema was loaded in part; `undefined` removes it. */
  readonly setLoader: (loader: Pick<SubtreeLoader, 'load'> | undefined) => void;
  /** Runs an action that needs everything about a row: at once, or after what the form lacks is loaded. */
  readonly withContent: (row: Pick<Row, 'leftOut'>, run: () => void) => void;
  /** Accepts the text of the open editor, which stays open: the text that follows is accepted next time. */
  readonly flush: () => void;
}

const FormControllerContext = createContext<FormController | undefined>(undefined);

/** Provides the form controller to all parts of a form. */
export const FormControllerProvider = FormControllerContext.Provider;

export function useFormController(): FormController {
  const controller = useContext(FormControllerContext);
  if (!controller) throw new Error('useFormController requires a FormControllerProvider.');
  return controller;
}

interface FormControllerSource {
  readonly state: FormState;
  readonly onChange: (next: FormState) => void;
  readonly canEdit: boolean;
  readonly picker: ValuePicker | undefined;
}

/** The controller of a form, and the interaction state that is not part of `FormState`. */
interface FormControl {
  readonly controller: FormController;
  readonly cursor: CursorPosition | undefined;
  /** True until the row of the cursor has the focus. */
  readonly needsFocus: RefObject<boolean>;
  readonly dialog: DialogKind | undefined;
  readonly announcement: string;
}

export function useNewFormController({
  state,
  onChange,
  canEdit,
  picker,
}: FormControllerSource): FormControl {
  const [cursor, setCursor] = useState<CursorPosition>();
  const [dialog, setDialog] = useState<DialogKind>();
  const [announcement, announce] = useState('');
  const needsFocus = useRef(false);
  const pending = useRef<() => void>(undefined);
  const loader = useRef<Pick<SubtreeLoader, 'load'>>(undefined);
  // One event may cause several operations. Each operation uses the result of the previous operation.
  const latest = useRef({ state, onChange });
  latest.current = { state, onChange };

  const controller = useMemo<FormController>(() => {
    const now = () => latest.current.state;
    const change = (next: FormState) => {
      if (next === now()) return;
      latest.current = { ...latest.current, state: next };
      latest.current.onChange(next);
    };
    const setPending = (accept: (() => void) | undefined) => {
      pending.current = accept;
    };
    return {
      canEdit,
      picker,
      now,
      change,
      edit: (edit) => change(withEdit(now(), edit)),
      goTo: (next) => {
        if (rowsOf(now()).indexOf(next.id) < 0) change(reveal(now(), next.id));
        needsFocus.current = true;
        setCursor(next);
      },
      track: (id) => setCursor((known) => (known?.id === id ? known : { id, stop: 2 })),
      leave: (id, stay) => {
        if (stay) needsFocus.current = true;
        setCursor((known) => (known?.id === id ? { id, stop: known.stop } : known));
      },
      showDialog: setDialog,
      announce,
      setPending,
      setLoader: (next) => {
        loader.current = next;
      },
      withContent: ({ leftOut }, run) => {
        if (leftOut.length === 0 || !loader.current) run();
        else loader.current.load(leftOut).then(run, (error: unknown) => announce(loadFailure(error)));
      },
      flush: () => pending.current?.(),
    };
  }, [canEdit, picker]);
  return { controller, cursor, needsFocus, dialog, announcement };
}

function loadFailure(error: unknown): string {
  return formText('partFailed', { reason: errorMessage(error) });
}

/**
 * Returns the state after an edit. Changed values are validated; new entries are validated when filled in.
 */
function withEdit(state: FormState, edit: Edit): FormState {
  const next = applyEdit(state, edit);
  const isWritten = edit.kind === 'set' || edit.kind === 'clear' || edit.kind === 'revert';
  return next !== state && isWritten ? checkAt(next, edit.pointer) : next;
}

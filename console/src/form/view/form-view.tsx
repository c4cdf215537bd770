import './form.css';
import {
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type FormBinding, type FormState, type Json, openAll, rowAt, rowsOf } from '../model/index.js';
import {
  type CursorPosition,
  FormControllerProvider,
  useFormController,
  useNewFormController,
} from './form-controller.js';
import { FormDialogs } from './dialogs/form-dialogs.js';
import { formKey, isTextInput, pasteAt, useFormActions } from './form-actions.js';
import { ENGLISH, type Labels } from './labels.js';
import { PrintView, usePrinting } from './print-view.js';
import { useBindings } from './use-bindings.js';
import { Details } from './details.js';
import { Treegrid } from './grid/treegrid.js';
import { PlainFormPage } from './plain/plain-page.js';
import { Toolbar } from './toolbar/toolbar.js';

export interface FormViewProps {
  readonly state: FormState;
  readonly onChange: (next: FormState) => void;
  readonly readOnly?: boolean;
  /**
   * True to start as a plain page: every row is a field with a label, for screen readers, search and print.
   */
  readonly plain?: boolean;
  readonly labels?: Partial<Labels>;
  /** Returns the response that contains the options or the default of a field. */
  readonly resolveBinding?: (binding: FormBinding) => Promise<Json>;
  /** The row that gets the focus; a new object moves the focus again. */
  readonly goTo?: { readonly id: string } | undefined;
  /**
   * Called after validation and after the user has reviewed the changes. Undefined hides the submit button.
   */
  readonly onSubmit?: (state: FormState) => void;
  /** Called by Ctrl+S instead of the review, with all entered text. */
  readonly onSave?: (state: FormState) => void;
  /** Title of the printed form. */
  readonly title?: string;
  /** Details in the printed form: version, hash, user, time. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
}

/** A form for any JSON Schema: a treegrid or a plain page, with search, changes, errors and exports. */
export function FormView(props: FormViewProps): ReactNode {
  const { state, onChange, readOnly = false, onSubmit } = props;
  const labels = useMemo(() => ({ ...ENGLISH, ...props.labels }), [props.labels]);
  const root = useRef<HTMLDivElement>(null);
  const canEdit = !readOnly && state.form.options.readOnly !== true;
  const { controller, cursor, needsFocus, dialog, announcement } = useNewFormController({
    state,
    onChange,
    labels,
    canEdit,
  });
  const isPrinting = usePrinting();
  useBindings(controller, state.form, props.resolveBinding);
  const { goTo } = props;
  useEffect(() => {
    if (goTo) controller.goTo({ id: goTo.id, stop: 0 });
  }, [controller, goTo]);
  const currentId = currentRowId(state, cursor);
  const lastRow = useRef(currentId);
  lastRow.current = currentId;
  const onSave = useRef(props.onSave);
  onSave.current = props.onSave;
  const actions = useFormActions({
    controller,
    root,
    currentRowId: useCallback(() => lastRow.current, []),
    onSave,
  });

  const onPaste = (event: ClipboardEvent) => {
    if (!canEdit || isTextInput(event.target) || currentId === undefined) return;
    event.preventDefault();
    pasteAt(controller, currentId, event.clipboardData.getData('text/plain'));
  };
  return (
    <FormControllerProvider value={controller}>
      <div ref={root} className="gf" onKeyDown={(event) => formKey(event, actions)} onPaste={onPaste}>
        <FormPage
          state={state}
          cursor={cursor}
          needsFocus={needsFocus}
          announcement={announcement}
          currentId={currentId}
          plain={props.plain}
          submit={onSubmit && actions.submit}
        />
        {dialog && <FormDialogs state={state} dialog={dialog} onSubmit={onSubmit} />}
        {isPrinting && <PrintView state={state} title={props.title} facts={props.facts} />}
      </div>
    </FormControllerProvider>
  );
}

/** Returns the id of the row with the cursor; of the first row if the row with the cursor is not visible. */
function currentRowId(state: FormState, cursor: CursorPosition | undefined): string | undefined {
  const { rows, indexOf } = rowsOf(state);
  return cursor && indexOf(cursor.id) >= 0 ? cursor.id : rows[0]?.id;
}

interface FormPageProps {
  readonly state: FormState;
  readonly cursor: CursorPosition | undefined;
  /** True until the row of the cursor has the focus. */
  readonly needsFocus: RefObject<boolean>;
  /** Id of the current row. */
  readonly currentId: string | undefined;
  readonly announcement: string;
  /** True to start as a plain page. */
  readonly plain: boolean | undefined;
  readonly submit: (() => void) | undefined;
}

/** The visible form: the toolbar, and the rows as a tree or as a plain page. */
function FormPage({
  state,
  cursor,
  needsFocus,
  currentId,
  announcement,
  plain = false,
  submit,
}: FormPageProps): ReactNode {
  const controller = useFormController();
  const { labels } = controller;
  const [isPlain, setPlain] = useState(plain);
  const isEmpty = rowsOf(state).rows.length === 0;
  const switchPage = () => {
    controller.flush();
    if (!isPlain) controller.change(openAll(controller.now()));
    setPlain(!isPlain);
  };
  return (
    <div className="gf-screen">
      <Toolbar
        state={state}
        announcement={announcement}
        isPlain={isPlain}
        switchPage={switchPage}
        submit={submit}
      />
      {isEmpty && <p className="gf-empty">{state.filter === '' ? labels.emptyForm : labels.noRows}</p>}
      <div className="gf-work" hidden={isEmpty}>
        {isPlain ? (
          <PlainFormPage state={state} cursor={cursor} needsFocus={needsFocus} />
        ) : (
          <>
            <Treegrid state={state} cursor={cursor} needsFocus={needsFocus} />
            <Details row={currentId === undefined ? undefined : rowAt(state, currentId)} />
          </>
        )}
      </div>
    </div>
  );
}

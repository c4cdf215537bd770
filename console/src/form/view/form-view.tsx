import './form.css';
import {
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type FormState, hasAtMostFields, openAsForm, rowAt, rowsOf } from '../model/index.js';
import type { ResolveBinding } from './binding-loader.js';
import { Details } from './details.js';
import { FormDialogs } from './dialogs/form-dialogs.js';
import { FormFields } from './fields/form-fields.js';
import { copyRow, formKey, isTextInput, pasteAt, useFormActions, usePageKeys } from './form-actions.js';
import {
  type CursorPosition,
  type FormController,
  FormControllerProvider,
  useFormController,
  useNewFormController,
  type ValuePicker,
} from './form-controller.js';
import { formText } from './form-text.js';
import { Treegrid } from './grid/treegrid.js';
import { PrintView, usePrinting } from './print-view.js';
import type { LoadSubtrees } from './subtree-loader.js';
import { Toolbar, type ViewKind } from './toolbar/toolbar.js';
import { useBindings, usePreparation, useSubtrees } from './use-loaders.js';

interface FormViewProps {
  readonly state: FormState;
  readonly onChange: (next: FormState) => void;
  readonly readOnly?: boolean;
  /**
   * The view to start with, and not the one that the user chose before: `form` is an ordinary page of labeled
   * fields, `table` a treegrid.
   */
  readonly view?: ViewKind;
  /**
   * True in an editor of the form that has its own tools and undoes entered data itself: the form has no tools.
   */
  readonly isPreview?: boolean;
  /** Returns the response that contains the options or the default of a field. */
  readonly resolveBinding?: ResolveBinding;
  /** Loads parts of the schema of a partial form. */
  readonly loadSubtrees?: LoadSubtrees;
  /** True if the page itself says that the form is loaded in parts. */
  readonly isPartialNoted?: boolean;
  /** A dialog that chooses the value of some fields. The same object keeps the rendered rows. */
  readonly picker?: ValuePicker | undefined;
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

/** A form for any JSON Schema: a page of fields or a treegrid, with search, changes, errors and exports. */
export function FormView(props: FormViewProps): ReactNode {
  const { state, onChange, readOnly = false, onSubmit } = props;
  const root = useRef<HTMLDivElement>(null);
  const canEdit = !readOnly && state.form.options.readOnly !== true;
  const { controller, cursor, needsFocus, dialog, announcement } = useNewFormController({
    state,
    onChange,
    canEdit,
    picker: props.picker,
  });
  const isPrinting = usePrinting();
  useBindings(controller, state, props.resolveBinding);
  // The preview of a form in an editor is another form after each edit.
  usePreparation(controller, state.form, canEdit && props.isPreview !== true);
  useSubtrees(controller, state, props.loadSubtrees);
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

  usePageKeys(root, actions);

  const onPaste = (event: ClipboardEvent) => {
    if (!canEdit || isTextInput(event.target) || currentId === undefined) return;
    event.preventDefault();
    pasteAt(controller, currentId, event.clipboardData.getData('text/plain'));
  };
  return (
    <FormControllerProvider value={controller}>
      <div
        ref={root}
        className="gf"
        onKeyDown={(event) => formKey(event, actions)}
        onPaste={onPaste}
        onCopy={(event) => copyRow(event, controller, currentId)}
      >
        <FormPage
          state={state}
          cursor={cursor}
          needsFocus={needsFocus}
          announcement={announcement}
          currentId={currentId}
          startView={props.view}
          isPreview={props.isPreview ?? false}
          isNoted={props.isPartialNoted ?? props.isPreview ?? false}
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
  readonly startView: ViewKind | undefined;
  readonly isPreview: boolean;
  /** True hides the note about a form that is loaded in parts. */
  readonly isNoted: boolean;
  readonly submit: (() => void) | undefined;
}

/** The visible form: the toolbar, and the rows as labeled fields or as a tree. */
function FormPage({
  state,
  cursor,
  needsFocus,
  currentId,
  announcement,
  startView,
  isPreview,
  isNoted,
  submit,
}: FormPageProps): ReactNode {
  const controller = useFormController();
  const [view, chooseView] = useViewKind({ state, controller, startView });
  const isEmpty = rowsOf(state).rows.length === 0;
  return (
    <div className="gf-screen">
      <Toolbar
        state={state}
        announcement={announcement}
        view={view}
        chooseView={chooseView}
        isPreview={isPreview}
        submit={submit}
      />
      {state.form.isPartial && !isNoted && <p className="gf-partial gf-quiet">{formText('partial')}</p>}
      {isEmpty && (
        <p className="gf-empty">{state.filter === '' ? formText('emptyForm') : formText('noRows')}</p>
      )}
      <div className="gf-work" hidden={isEmpty}>
        {view === 'form' ? (
          <FormFields state={state} cursor={cursor} needsFocus={needsFocus} />
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

/** A form with more fields than this is shown as a table, until the user chooses otherwise. */
const MAX_FIELDS = 60;

interface ViewSource {
  readonly state: FormState;
  readonly controller: FormController;
  /** The view to start with; by default, the user's last choice for a form of this size. */
  readonly startView: ViewKind | undefined;
}

/** Returns the view of a form, and a function that shows another one. The choice is remembered. */
function useViewKind({
  state,
  controller,
  startView,
}: ViewSource): readonly [ViewKind, (view: ViewKind) => void] {
  const [isShort] = useState(() => hasAtMostFields(state, MAX_FIELDS));
  const [view, setView] = useState<ViewKind>(
    () => startView ?? rememberedView(isShort) ?? (isShort ? 'form' : 'table'),
  );
  useLayoutEffect(() => {
    if (view === 'form') controller.change(openAsForm(controller.now()));
  }, [view, controller, state.form]);
  const choose = (next: ViewKind) => {
    controller.flush();
    rememberView(isShort, next);
    setView(next);
  };
  return [view, choose];
}

/** Short and long forms have their own choice: who prefers fields may still want a table of 2,000 rows. */
function storageKey(isShort: boolean): string {
  return isShort ? 'gatehouse.form-view.short' : 'gatehouse.form-view.long';
}

function rememberedView(isShort: boolean): ViewKind | undefined {
  try {
    const view = localStorage.getItem(storageKey(isShort));
    return view === 'form' || view === 'table' ? view : undefined;
  } catch {
    return undefined; // The browser refuses storage.
  }
}

function rememberView(isShort: boolean, view: ViewKind): void {
  try {
    localStorage.setItem(storageKey(isShort), view);
  } catch {
    // The browser refuses storage: the choice lasts until the page is closed.
  }
}

import './form.css.js';
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
import { type CursorPosition, DeskProvider, useDesk, useDeskOf } from './form-controller.js';
import { FormSheets } from './dialogs/form-dialogs.js';
import { formKey, isWriting, pasteAt, useFormActions } from './form-actions.js';
import { ENGLISH, type Labels } from './labels.js';
import { PrintSheet, usePrinting } from './print-view.js';
import { useBindings } from './use-bindings.js';
import { Details } from './details.js';
import { Treegrid } from './grid/treegrid.js';
import { ReadOnlyPage } from './plain/plain-page.js';
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
  /** A row to go to; a new object repeats the move. */
  readonly goTo?: { readonly id: string } | undefined;
  /**
   * Present if the form is sent from here: called after validation, and after the person has reviewed the
   * changes.
   */
  readonly onSubmit?: (state: FormState) => void;
  /** Title of the print. */
  readonly title?: string;
  /** Facts in the print: version, hash, who, when. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
}

/** A form for any JSON Schema: a treegrid or a plain page, with search, changes, errors and exports. */
export function FormView(props: FormViewProps): ReactNode {
  const { state, onChange, readOnly = false, onSubmit } = props;
  const labels = useMemo(() => ({ ...ENGLISH, ...props.labels }), [props.labels]);
  const root = useRef<HTMLDivElement>(null);
  const canEdit = !readOnly && state.form.options.readOnly !== true;
  const { desk, place, wanted, sheet, said } = useDeskOf({ state, onChange, labels, canEdit });
  const isPrinting = usePrinting();
  useBindings(desk, state.form, props.resolveBinding);
  const { goTo } = props;
  useEffect(() => {
    if (goTo) desk.goTo({ id: goTo.id, stop: 0 });
  }, [desk, goTo]);
  const here = hereIn(state, place);
  const lastHere = useRef(here);
  lastHere.current = here;
  const actions = useFormActions({ desk, root, here: useCallback(() => lastHere.current, []) });

  const onPaste = (event: ClipboardEvent) => {
    if (!canEdit || isWriting(event.target) || here === undefined) return;
    event.preventDefault();
    pasteAt(desk, here, event.clipboardData.getData('text/plain'));
  };
  return (
    <DeskProvider value={desk}>
      <div ref={root} className="gf" onKeyDown={(event) => formKey(event, actions)} onPaste={onPaste}>
        <FormPage
          state={state}
          place={place}
          wanted={wanted}
          said={said}
          here={here}
          plain={props.plain}
          submit={onSubmit && actions.submit}
        />
        {sheet && <FormSheets state={state} sheet={sheet} onSubmit={onSubmit} />}
        {isPrinting && <PrintSheet state={state} title={props.title} facts={props.facts} />}
      </div>
    </DeskProvider>
  );
}

/** Returns the id of the current row; the first row if that one is gone. */
function hereIn(state: FormState, place: CursorPosition | undefined): string | undefined {
  const { rows, indexOf } = rowsOf(state);
  return place && indexOf(place.id) >= 0 ? place.id : rows[0]?.id;
}

export interface FormPageProps {
  readonly state: FormState;
  readonly place: CursorPosition | undefined;
  /** True as long as the position still has to get the focus. */
  readonly wanted: RefObject<boolean>;
  /** Id of the current row. */
  readonly here: string | undefined;
  readonly said: string;
  /** True to start as a plain page. */
  readonly plain: boolean | undefined;
  readonly submit: (() => void) | undefined;
}

/** The visible form: the toolbar, and the rows as a tree or as a plain page. */
export function FormPage({
  state,
  place,
  wanted,
  here,
  said,
  plain = false,
  submit,
}: FormPageProps): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const [isPlain, setPlain] = useState(plain);
  const isEmpty = rowsOf(state).rows.length === 0;
  const switchPage = () => {
    desk.flush();
    if (!isPlain) desk.change(openAll(desk.now()));
    setPlain(!isPlain);
  };
  return (
    <div className="gf-screen">
      <Toolbar state={state} said={said} isPlain={isPlain} switchPage={switchPage} submit={submit} />
      {isEmpty && <p className="gf-empty">{state.filter === '' ? labels.emptyForm : labels.noRows}</p>}
      <div className="gf-work" hidden={isEmpty}>
        {isPlain ? (
          <ReadOnlyPage state={state} place={place} wanted={wanted} />
        ) : (
          <>
            <Treegrid state={state} place={place} wanted={wanted} />
            <Details row={here === undefined ? undefined : rowAt(state, here)} />
          </>
        )}
      </div>
    </div>
  );
}

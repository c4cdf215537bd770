import './form.css';
import { type ClipboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { type FormBinding, type FormState, type Json, rowsOf } from '../model/index.js';
import { DeskProvider, type CursorPosition } from './form-controller.js';
import { FormSheets } from './dialogs/form-dialogs.js';
import { FormPage } from './form-page.js';
import { formKey, isWriting } from './form-keys.js';
import { ENGLISH, type Labels } from './labels.js';
import { pasteAt } from './paste-at.js';
import { PrintSheet } from './print-view.js';
import { useBindings } from './use-bindings.js';
import { useDeskOf } from './use-form-controller.js';
import { useFormActions } from './use-form-actions.js';
import { usePrinting } from './use-printing.js';

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

import { type FocusEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { type FormState, layoutOf, type Row, rowsOf } from '../../model/index.js';
import { Button } from '../controls.js';
import { type CursorPosition, useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { FieldGroups, fieldTree } from './field-groups.js';
import { FormPages, pageOf } from './form-pages.js';

/** Number of rows that are shown by default and that the button adds; more rows slow down the page. */
const ROWS_PER_STEP = 500;

interface FormFieldsProps {
  readonly state: FormState;
  readonly cursor: CursorPosition | undefined;
  /** True until the row of the cursor has the focus. */
  readonly needsFocus: RefObject<boolean>;
}

/** The form as an ordinary page: labeled fields, sections for containers, cards for the entries of lists. */
export function FormFields({ state, cursor, needsFocus }: FormFieldsProps): ReactNode {
  const controller = useFormController();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const [limit, setLimit] = useState(ROWS_PER_STEP);
  const index = cursor ? indexOf(cursor.id) : -1;
  const isBeyond = index >= limit;

  const layout = layoutOf(state, '');
  // A search finds the fields of all pages.
  const hasPages = layout.pages.length > 0 && state.filter === '';
  const [page, setPage] = useState(0);

  useLayoutEffect(() => {
    if (!needsFocus.current || index < 0) return;
    const wanted = pageOf(layout, topKey(rows, index));
    if (hasPages && page !== wanted) {
      setPage(wanted);
      return;
    }
    if (isBeyond) {
      setLimit(Math.ceil((index + 1) / ROWS_PER_STEP) * ROWS_PER_STEP);
      return;
    }
    needsFocus.current = false;
    const element = document.getElementById(`${id}-${index}`);
    const folded = element?.closest('details');
    if (folded) folded.open = true;
    focusTarget(element)?.focus();
  });
  useLayoutEffect(() => {
    // The field that was current in the table stays visible. Only on mount.
    if (cursor && !needsFocus.current)
      document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  }, []);

  const onFocus = (event: FocusEvent) => {
    const field = event.target.closest<HTMLElement>('[data-row]');
    const row = rows[Number(field?.dataset['row'] ?? -1)];
    if (row) controller.track(row.id);
  };
  return (
    <div className="gf-fields" onFocus={onFocus}>
      {hasPages ? (
        <FormPages state={state} nodes={fieldTree(rows)} id={id} at={page} show={setPage} />
      ) : (
        <FieldGroups state={state} nodes={fieldTree(rows.slice(0, limit))} layout={layout} id={id} />
      )}
      {rows.length > limit && !hasPages && (
        <Button onClick={() => setLimit(limit + ROWS_PER_STEP)}>
          {formText('showMore', { count: Math.min(ROWS_PER_STEP, rows.length - limit) })}
        </Button>
      )}
    </div>
  );
}

/** Returns the name of the member of the form that contains a row. */
function topKey(rows: readonly Row[], index: number): string {
  return rows.slice(0, index + 1).findLast(({ level }) => level === 1)?.key ?? '';
}

/** Returns the control of a field; for a section without own control its first button, or the section. */
function focusTarget(element: HTMLElement | null): HTMLElement | null {
  const isField = element?.matches('.gf-field, .gf-card') === true;
  const controls = isField ? 'input, select, textarea' : 'button';
  return (
    element?.querySelector<HTMLElement>(controls) ??
    element?.querySelector<HTMLElement>('input, select, textarea, button') ??
    element
  );
}

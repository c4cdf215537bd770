import { type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { type FormState, rowsOf } from '../../model/index.js';
import { type CursorPosition, useDesk } from '../form-controller.js';
import { ReadOnlyRow } from './read-only-row.js';

/** Number of rows at first, and per press of the button: more at once slow down the page. */
const STEP = 500;

export interface PlainPageProps {
  readonly state: FormState;
  readonly place: CursorPosition | undefined;
  /** True as long as the position still has to get the focus. */
  readonly wanted: RefObject<boolean>;
}

/** The form as an ordinary page: headings and labeled fields, with every row in the page. */
export function ReadOnlyPage({ state, place, wanted }: PlainPageProps): ReactNode {
  const { labels } = useDesk();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const [limit, setLimit] = useState(STEP);
  const index = place ? indexOf(place.id) : -1;
  const isBeyond = index >= limit;

  useLayoutEffect(() => {
    if (!wanted.current || index < 0) return;
    if (isBeyond) {
      setLimit(Math.ceil((index + 1) / STEP) * STEP);
      return;
    }
    wanted.current = false;
    const row = document.getElementById(`${id}-${index}`);
    const control = row?.querySelector<HTMLElement>('input, select, textarea, button') ?? row;
    control?.focus();
  });
  return (
    <div className="gf-plain">
      {rows.slice(0, limit).map((row, at) => (
        <ReadOnlyRow key={row.id} row={row} id={`${id}-${at}`} />
      ))}
      {rows.length > limit && (
        <button type="button" className="gf-button" onClick={() => setLimit(limit + STEP)}>
          {labels.showMore(Math.min(STEP, rows.length - limit))}
        </button>
      )}
    </div>
  );
}

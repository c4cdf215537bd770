import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { type FormState, type Row, rowsOf } from '../../model/index.js';
import { type CursorPosition, useDesk } from '../form-controller.js';
import type { Leave } from '../editors/draft.js';
import { actionsOf } from '../row-actions.js';
import { runCommand, editNext } from './run-command.js';
import { gridCommand } from './grid-keys.js';
import { GridRow } from './grid-row.js';
import { type RowWindow, useWindow } from './use-window.js';

export interface TreegridProps {
  readonly state: FormState;
  readonly place: CursorPosition | undefined;
  /** True as long as the position still has to get the focus. */
  readonly wanted: RefObject<boolean>;
}

/** The form as a treegrid. Only visible rows and the current row are in the page. */
export function Treegrid({ state, place, wanted }: TreegridProps): ReactNode {
  const desk = useDesk();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const view = useWindow(rows.length);
  const here = useHere(rows, place, indexOf);
  const row = rows[here];
  const lastStop = row ? 2 + actionsOf(row, desk).length : 0;
  const spot: CursorPosition | undefined = row && {
    id: row.id,
    stop: Math.min(place?.stop ?? 0, lastStop),
    editing: place?.id === row.id ? place.editing : undefined,
  };
  useFocus({ view, here, spot, wanted });

  const onLeave = useCallback(
    (left: string, how: Leave) => {
      if (how === 'next' || how === 'previous') editNext(desk, how, left);
      else desk.leave(left, how === 'stay');
    },
    [desk],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (!row || !spot || spot.editing || event.defaultPrevented) return;
    const command = gridCommand(event, { ...spot, lastStop, expandable: row.expandable, open: row.open });
    if (!command) return;
    if (
      runCommand(command, { desk, row, index: here, page: view.page, stop: spot.stop, target: event.target })
    ) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div className="gf-grid" ref={view.scroller} onScroll={view.onScroll}>
      <div
        role="treegrid"
        aria-label={desk.labels.form}
        aria-rowcount={rows.length + 1}
        aria-readonly={!desk.canEdit}
        onKeyDown={onKeyDown}
      >
        <Head />
        <div role="rowgroup" className="gf-rows" style={{ blockSize: `${rows.length * view.rowHeight}px` }}>
          {drawn(view, here, rows.length).map((index) => {
            const one = rows[index];
            if (!one) return null;
            const props = { row: one, index, top: index * view.rowHeight, onLeave };
            return (
              <GridRow
                key={one.id}
                {...props}
                id={`${id}-${index}`}
                place={index === here ? spot : undefined}
                isLow={index === here && index - view.top > view.page / 2}
              />
            );
          })}
        </div>
      </div>
      <div className="gf-probe" ref={view.probe} aria-hidden="true" />
    </div>
  );
}

function Head(): ReactNode {
  const { labels } = useDesk();
  return (
    <div role="rowgroup" className="gf-head">
      <div role="row" aria-rowindex={1} className="gf-head-row">
        {[labels.name, labels.value, labels.state, labels.actions].map((name) => (
          <div key={name} role="columnheader">
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the indexes of the rows to draw, in order. */
function drawn({ first, end }: RowWindow, here: number, count: number): readonly number[] {
  const indexes = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  if (here < 0 || here >= count || (here >= first && here < end)) return indexes;
  return here < first ? [here, ...indexes] : [...indexes, here];
}

/** Returns the index of the current row; if that row is gone, the index of the row that replaced it. */
function useHere(
  rows: readonly Row[],
  place: CursorPosition | undefined,
  indexOf: (id: string) => number,
): number {
  const last = useRef(0);
  const found = place ? indexOf(place.id) : 0;
  if (found >= 0) last.current = found;
  return Math.min(last.current, rows.length - 1);
}

interface FocusFacts extends Pick<TreegridProps, 'wanted'> {
  readonly view: RowWindow;
  readonly here: number;
  readonly spot: CursorPosition | undefined;
}

/** Moves the focus to the position if requested. Editors focus their control themselves. */
function useFocus({ view, here, spot, wanted }: FocusFacts): void {
  const { scroller, showRow } = view;
  useLayoutEffect(() => {
    if (!wanted.current || !spot) return;
    wanted.current = false;
    showRow(here);
    if (spot.editing) return;
    scroller.current?.querySelector<HTMLElement>('.gf-rows [tabindex="0"]')?.focus({ preventScroll: true });
  });
}

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type FormState, type Row, rowsOf } from '../../model/index.js';
import type { LeaveTarget } from '../editors/draft.js';
import { type CursorPosition, useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { actionsOf } from '../row-actions.js';
import { gridCommand } from './grid-keys.js';
import { GridRow } from './grid-row.js';
import { editNext, runCommand } from './run-command.js';

interface TreegridProps {
  readonly state: FormState;
  readonly cursor: CursorPosition | undefined;
  /** True until the row of the cursor has the focus. */
  readonly needsFocus: RefObject<boolean>;
}

/** The form as a treegrid. The page contains only the visible rows and the current row. */
export function Treegrid({ state, cursor, needsFocus }: TreegridProps): ReactNode {
  const controller = useFormController();
  const id = useId();
  const { rows, indexOf } = rowsOf(state);
  const view = useWindow(rows.length);
  const current = useCurrentIndex(rows, cursor, indexOf);
  const row = rows[current];
  const lastStop = row ? 2 + actionsOf(row, controller).length : 0;
  const currentCell: CursorPosition | undefined = row && {
    id: row.id,
    stop: Math.min(cursor?.stop ?? 0, lastStop),
    editing: cursor?.id === row.id ? cursor.editing : undefined,
  };
  useFocus({ view, current, currentCell, needsFocus });

  const onLeave = useCallback(
    (rowId: string, target: LeaveTarget) => {
      if (target === 'next' || target === 'previous') editNext(controller, target, rowId);
      else controller.leave(rowId, target === 'stay');
    },
    [controller],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (!row || !currentCell || currentCell.editing || event.defaultPrevented) return;
    const command = gridCommand(event, {
      ...currentCell,
      lastStop,
      expandable: row.expandable,
      open: row.open,
    });
    if (!command) return;
    if (
      runCommand(command, {
        controller,
        row,
        index: current,
        page: view.page,
        stop: currentCell.stop,
        target: event.target,
      })
    ) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div className="gf-grid" ref={view.scroller} onScroll={view.onScroll}>
      <div
        role="treegrid"
        aria-label={formText('form')}
        aria-rowcount={rows.length + 1}
        aria-readonly={!controller.canEdit}
        onKeyDown={onKeyDown}
      >
        <Head />
        <div role="rowgroup" className="gf-rows" style={{ blockSize: `${rows.length * view.rowHeight}px` }}>
          {drawnIndexes(view, current, rows.length).map((index) => {
            const drawnRow = rows[index];
            if (!drawnRow) return null;
            const props = { row: drawnRow, index, top: index * view.rowHeight, onLeave };
            return (
              <GridRow
                key={drawnRow.id}
                {...props}
                id={`${id}-${index}`}
                cursor={index === current ? currentCell : undefined}
                isLow={index === current && index - view.top > view.page / 2}
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
  return (
    <div role="rowgroup" className="gf-head">
      <div role="row" aria-rowindex={1} className="gf-head-row">
        {[formText('name'), formText('value'), formText('state'), formText('actions')].map((name) => (
          <div key={name} role="columnheader">
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}

function drawnIndexes({ first, end }: RowWindow, current: number, count: number): readonly number[] {
  const indexes = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  if (current < 0 || current >= count || (current >= first && current < end)) return indexes;
  return current < first ? [current, ...indexes] : [...indexes, current];
}

/** Returns the index of the current row; if it was removed, the index of the row at its position. */
function useCurrentIndex(
  rows: readonly Row[],
  cursor: CursorPosition | undefined,
  indexOf: (id: string) => number,
): number {
  const last = useRef(0);
  const found = cursor ? indexOf(cursor.id) : 0;
  if (found >= 0) last.current = found;
  return Math.min(last.current, rows.length - 1);
}

interface FocusFacts extends Pick<TreegridProps, 'needsFocus'> {
  readonly view: RowWindow;
  readonly current: number;
  readonly currentCell: CursorPosition | undefined;
}

/** Moves the focus to the current cell if requested. Editors focus their control themselves. */
function useFocus({ view, current, currentCell, needsFocus }: FocusFacts): void {
  const { scroller, showRow } = view;
  useLayoutEffect(() => {
    if (!needsFocus.current || !currentCell) return;
    needsFocus.current = false;
    showRow(current);
    if (currentCell.editing) return;
    const cell = scroller.current?.querySelector<HTMLElement>('.gf-rows [tabindex="0"]');
    cell?.focus({ preventScroll: true });
    // The page may have a bar in front of the last rows; its style sheet says how tall it is (`scroll-padding`).
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

/** Rows that are drawn above and below the visible ones, so that scrolling shows no gaps. */
const MARGIN_ROWS = 6;

/** The range of drawn rows. All rows have the same height, which the style sheet defines. */
interface RowWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** An element with the height of a row. */
  readonly probe: RefObject<HTMLDivElement | null>;
  readonly rowHeight: number;
  readonly first: number;
  /** Index after the last drawn row. */
  readonly end: number;
  /** Number of visible rows. */
  readonly page: number;
  /** Index of the first visible row. */
  readonly top: number;
  readonly onScroll: () => void;
  /** Scrolls as little as possible to show a row. */
  readonly showRow: (index: number) => void;
}

interface Measures {
  readonly rowHeight: number;
  readonly height: number;
  readonly top: number;
}

function useWindow(count: number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const [measures, setMeasures] = useState<Measures>({ rowHeight: 36, height: 720, top: 0 });

  const measure = useCallback(() => {
    const [element, row] = [scroller.current, probe.current];
    if (!element || !row) return;
    const rowHeight = Math.max(row.offsetHeight, 1);
    // Whole rows only: scrolling within a row renders nothing.
    const next = { rowHeight, height: element.clientHeight, top: Math.floor(element.scrollTop / rowHeight) };
    setMeasures((known) =>
      known.rowHeight === next.rowHeight && known.height === next.height && known.top === next.top
        ? known
        : next,
    );
  }, []);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [scroller.current, probe.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);
  useLayoutEffect(measure, [measure, count]);

  const { rowHeight, height, top } = measures;
  const page = Math.max(Math.floor(height / rowHeight) - 1, 1);
  const showRow = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      const { offsetHeight } = probe.current ?? { offsetHeight: rowHeight };
      const [from, to] = [index * offsetHeight, (index + 1) * offsetHeight];
      const seen = element.clientHeight - headHeight(element);
      if (from < element.scrollTop) element.scrollTop = from;
      else if (to > element.scrollTop + seen) element.scrollTop = to - seen;
      measure();
    },
    [measure, rowHeight],
  );
  return {
    scroller,
    probe,
    rowHeight,
    first: Math.max(0, Math.min(top, count) - MARGIN_ROWS),
    end: Math.min(count, top + page + 2 + MARGIN_ROWS),
    page,
    top,
    onScroll: measure,
    showRow,
  };
}

/** Returns the height of the grid's sticky header. */
function headHeight(element: HTMLElement): number {
  return element.querySelector<HTMLElement>('.gf-head')?.offsetHeight ?? 0;
}

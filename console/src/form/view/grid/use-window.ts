import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Rows that are drawn above and below the visible ones, so that scrolling shows no gaps. */
const MARGIN_ROWS = 6;

/** The range of drawn rows. All rows have the same height, which the style sheet defines. */
export interface RowWindow {
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

export function useWindow(count: number): RowWindow {
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

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import '../style/charts.css';
import '../style/traffic.css';
import type { Mark } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { Button } from './button.js';
import { CallBarPaths } from './call-bars.js';
import { callBarsOf, type CallCell, positionOf, type Span } from './chart-shapes.js';
import { Segments } from './choices.js';
import { TimeAxis } from './time-axis-labels.js';
import { formatMoment } from './time-axis.js';
import { SPANS, type TimeRange, type TimeSpan } from './time-range.js';
import type { TimeSpanActions } from './time-span.js';
import { clippedScale } from './traffic-shapes.js';

const text = textOf('traffic');

interface TimeStripProps {
  readonly time: TimeSpan & TimeSpanActions;
  /** Numbers of the whole time span. */
  readonly cells: readonly CallCell[];
  readonly marks: readonly Mark[];
  readonly span: Span;
  /** What the bars show, for screen readers. */
  readonly label: string;
  /** The part of the time whose numbers are known; absent: all of it. */
  readonly loaded?: TimeRange | undefined;
}

/** Minimum width of a selection by pointer, as part of the strip; less is a click. */
const MIN_DRAG = 0.01;

/**
 * Renders the choice of the time span, and the calls of it as a strip in which a part can be selected, by pointer
 * or with two sliders.
 */
export function TimeStrip({ time, label, ...plot }: TimeStripProps): ReactNode {
  const { selected } = time;
  const strip = useRef<HTMLElement>(null);
  const reset = (): void => {
    // The button disappears with the selection, and must not take the focus with it.
    strip.current?.querySelector<HTMLElement>('[role=slider]')?.focus();
    time.reset();
  };
  return (
    <section ref={strip} className="gh-time-strip" aria-label={text('strip')}>
      <div className="gh-time-strip-head">
        <Segments
          label={text('timeSpan')}
          value={time.span}
          onChange={time.show}
          options={SPANS.map((key) => ({ key, label: text(key) }))}
        />
        {selected ? (
          <>
            <span>{text('range', { from: formatMoment(selected.from), to: formatMoment(selected.to) })}</span>
            <Button kind="link" isSmall onPress={reset}>
              {text('reset')}
            </Button>
          </>
        ) : (
          <span className="gh-quiet">{text('stripHint')}</span>
        )}
      </div>
      <Plot {...plot} label={label} selected={selected} onSelect={time.select} />
      <TimeAxis span={plot.span} />
    </section>
  );
}

interface PlotProps extends Omit<TimeStripProps, 'time'> {
  readonly selected: TimeRange | undefined;
  readonly onSelect: (range: TimeRange) => void;
}

function Plot({ cells, marks, span, label, loaded = span, selected, onSelect }: PlotProps): ReactNode {
  const { dragged, handlers } = useBrush(span, onSelect);
  const bars = useMemo(() => {
    const { top } = clippedScale(cells.map(({ calls }) => calls));
    return callBarsOf(cells, span, top);
  }, [cells, span]);
  const { moved, move, commit } = useKeyboardRange(onSelect);
  const range = dragged ?? moved ?? selected;
  return (
    <div className="gh-time-strip-plot" {...handlers}>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label={label}>
        <CallBarPaths bars={bars} />
      </svg>
      <Unknown span={span} from={span.from} to={loaded.from} />
      <Unknown span={span} from={loaded.to} to={span.to} />
      {marks.map(({ at, text: title }, index) => (
        <span
          key={`${at} ${index}`}
          className="gh-time-strip-mark"
          title={title}
          style={{ insetInlineStart: `${positionOf(at, span) * 100}%` }}
        />
      ))}
      {range && (
        <span
          className="gh-time-strip-range"
          style={{
            insetInlineStart: `${positionOf(range.from, span) * 100}%`,
            inlineSize: `${(positionOf(range.to, span) - positionOf(range.from, span)) * 100}%`,
          }}
        />
      )}
      <Handle side="from" span={span} range={range} onMove={move} onLeave={commit} />
      <Handle side="to" span={span} range={range} onMove={move} onLeave={commit} />
    </div>
  );
}

/** Marks a part of the strip whose numbers are not known. */
function Unknown({ span, from, to }: TimeRange & Pick<PlotProps, 'span'>): ReactNode {
  const [start, end] = [positionOf(from, span), positionOf(to, span)];
  if (end <= start) return null;
  return (
    <span
      className="gh-time-strip-unknown"
      title={text('notLoaded')}
      style={{ insetInlineStart: `${start * 100}%`, inlineSize: `${(end - start) * 100}%` }}
    />
  );
}

/** Returns the handlers of a pointer that selects a part of the strip, and the part while it is being selected. */
function useBrush(span: Span, onSelect: PlotProps['onSelect']) {
  const start = useRef<number>(undefined);
  const [dragged, setDragged] = useState<TimeRange>();
  const partOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (clientX - left) / width));
    return getComputedStyle(currentTarget).direction === 'rtl' ? 1 - part : part;
  };
  const rangeTo = (part: number): TimeRange | undefined => {
    const { current: from } = start;
    if (from === undefined || Math.abs(part - from) < MIN_DRAG) return undefined;
    return rangeOf(span, Math.min(from, part), Math.max(from, part));
  };
  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        start.current = partOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start.current !== undefined) setDragged(rangeTo(partOf(event)));
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        const range = rangeTo(partOf(event));
        start.current = undefined;
        setDragged(undefined);
        if (range) onSelect(range);
      },
      onPointerCancel() {
        start.current = undefined;
        setDragged(undefined);
      },
    },
  };
}

/** Returns the part of a strip as a time, in whole cells. */
function rangeOf({ from, to, cellMs }: Span, start: number, end: number): TimeRange {
  const at = (part: number): number => from + part * (to - from);
  const first = Math.floor((at(start) - from) / cellMs);
  const last = Math.max(first + 1, Math.ceil((at(end) - from) / cellMs));
  return { from: from + first * cellMs, to: Math.min(from + last * cellMs, to) };
}

/** Time after the last key within which no further key is expected, in milliseconds. */
const KEY_PAUSE_MS = 400;

/** Keeps a range that is moved by keys, and selects it when the keys rest: each selection is a request. */
function useKeyboardRange(onSelect: PlotProps['onSelect']) {
  const [moved, setMoved] = useState<TimeRange>();
  const latest = useRef(onSelect);
  useEffect(() => {
    latest.current = onSelect;
  });
  const commit = (): void => {
    if (!moved) return;
    setMoved(undefined);
    onSelect(moved);
  };
  useEffect(() => {
    if (!moved) return undefined;
    const timer = window.setTimeout(() => {
      setMoved(undefined);
      latest.current(moved);
    }, KEY_PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [moved]);
  return { moved, move: setMoved, commit };
}

interface HandleProps extends Pick<PlotProps, 'span'> {
  readonly side: 'from' | 'to';
  readonly range: TimeRange | undefined;
  readonly onMove: (range: TimeRange) => void;
  readonly onLeave: () => void;
}

/** Number of cells that Page Up and Page Down move. */
const PAGE_CELLS = 10;

/** Renders a slider for the start or the end of the selected time. */
function Handle({ side, span, range, onMove, onLeave }: HandleProps): ReactNode {
  const current = { from: range?.from ?? span.from, to: range?.to ?? span.to };
  const at = current[side];
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const all = Math.ceil((span.to - span.from) / span.cellMs);
    const steps: Readonly<Record<string, number>> = {
      Home: -all,
      End: all,
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE_CELLS,
      PageUp: PAGE_CELLS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = at + step * span.cellMs;
    if (side === 'from')
      onMove({ ...current, from: Math.min(Math.max(next, span.from), current.to - span.cellMs) });
    else onMove({ ...current, to: Math.max(Math.min(next, span.to), current.from + span.cellMs) });
  };
  return (
    <span
      className="gh-time-strip-handle"
      role="slider"
      tabIndex={0}
      aria-label={text(side === 'from' ? 'start' : 'end')}
      aria-valuemin={span.from}
      aria-valuemax={span.to}
      aria-valuenow={at}
      aria-valuetext={formatMoment(at)}
      style={{ insetInlineStart: `${positionOf(at, span) * 100}%` }}
      onKeyDown={move}
      onBlur={onLeave}
    />
  );
}

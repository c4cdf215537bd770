import { type ReactNode, useId } from 'react';
import '../style/charts.css';
import { textOf } from '../text/text.js';
import { stackedBars, sumOf } from './bar-layout.js';
import { formatCount } from './numbers.js';

const text = textOf('traffic');

/** A counted category; adjacent tones have distinct patterns. */
interface BarKind {
  readonly name: string;
  readonly tone: 'good' | 'warning' | 'bad';
}

interface Bar {
  readonly key: string;
  /** Label of the bar: "10:00 to 10:05". */
  readonly label: string;
  /** A count for each category. */
  readonly parts: readonly number[];
}

interface StackedBarsProps {
  readonly label: string;
  readonly kinds: readonly BarKind[];
  readonly bars: readonly Bar[];
  /** Labels below the first and the last bar. */
  readonly ends: readonly [string, string];
  /** Called on a click; the page must offer the same action to keyboard users elsewhere. */
  readonly onPick: (index: number) => void;
  readonly hint: string;
}

const SIZE = { width: 960, height: 120 } as const;

/** Renders counts over time as stacked bars, with a legend that shows the sums. */
export function StackedBars({ label, kinds, bars, ends, onPick, hint }: StackedBarsProps): ReactNode {
  const id = useId();
  const layout = stackedBars(
    bars.map(({ parts }) => parts),
    0.15,
    0.06,
  );
  const sums = kinds.map((_kind, at) => sumOf(bars.map(({ parts }) => parts[at] ?? 0)));
  const words = kinds.map(({ name }, at) => countOf(name, sums[at])).join(', ');
  return (
    <figure className="gh-bars">
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${words}`}
      >
        <Hatches id={id} />
        {bars.map((bar, index) => (
          <g key={bar.key} className="gh-bar" onClick={() => onPick(index)}>
            <title>{titleOf(bar, kinds)}</title>
            <rect
              className="gh-bar-room"
              x={(index / bars.length) * SIZE.width}
              width={SIZE.width / bars.length}
              height={SIZE.height}
            />
            {layout[index]?.map(({ kind, x, y, width, height }) => (
              <rect
                key={kind}
                data-tone={kinds[kind]?.tone}
                {...(kinds[kind]?.tone === 'warning' && { fill: `url(#${id})` })}
                x={x * SIZE.width}
                y={y * SIZE.height}
                width={width * SIZE.width}
                height={height * SIZE.height}
              />
            ))}
          </g>
        ))}
      </svg>
      <div className="gh-bars-ends gh-quiet">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
      <figcaption>
        {kinds.map(({ name, tone }, at) => (
          <span key={name} className="gh-bars-kind">
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <rect
                width="12"
                height="12"
                data-tone={tone}
                {...(tone === 'warning' && { fill: `url(#${id})` })}
              />
            </svg>
            {countOf(name, sums[at])}
          </span>
        ))}
        <span className="gh-quiet">{hint}</span>
      </figcaption>
    </figure>
  );
}

function countOf(name: string, count = 0): string {
  return text('countOf', { name, count: formatCount(count) });
}

function titleOf({ label, parts }: Bar, kinds: readonly BarKind[]): string {
  return `${label}\n${kinds.map(({ name }, at) => countOf(name, parts[at])).join('\n')}`;
}

function Hatches({ id }: { readonly id: string }): ReactNode {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" className="gh-hatch-ground" />
        <rect width="3" height="6" className="gh-hatch-line" />
      </pattern>
    </defs>
  );
}

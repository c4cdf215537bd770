import type { ReactNode } from 'react';
import '../style/charts-share.css';

export interface ShareBarProps {
  readonly total: number;
  /** Segments of the bar, the longest first; `share` is relative to the width of the longest bar, 0 to 1. */
  readonly shares: readonly { readonly name: string; readonly count: number; readonly share: number }[];
}

/** A number as a bar, and its shares as text. */
export function ShareBar({ total, shares }: ShareBarProps): ReactNode {
  if (total === 0) return <span className="gh-quiet">none</span>;
  const starts = shares.map((_share, at) => shares.slice(0, at).reduce((sum, { share }) => sum + share, 0));
  return (
    <div className="gh-share">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {shares.map(({ name, share }, at) => (
          <rect
            key={name}
            x={(starts[at] ?? 0) * 100}
            width={Math.max(share * 100 - 0.6, 0.8)}
            height="8"
            data-place={at % 5}
          />
        ))}
      </svg>
      <span>
        {total}{' '}
        <span className="gh-quiet">{shares.map(({ name, count }) => `${name} ${count}`).join(', ')}</span>
      </span>
    </div>
  );
}

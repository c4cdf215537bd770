import type { ReactNode } from 'react';
import { curve, type LinkKind, thicknessOf } from './chain.js';

export interface FanProps {
  /** Height in rem. */
  readonly height: number;
  /** Position of the single box, in rem from the top. */
  readonly middle: number;
  readonly ends: readonly { readonly middle: number; readonly kind: LinkKind; readonly perMinute: number }[];
  /** The side of the many ends. */
  readonly opens: 'left' | 'right';
}

/** Lines between one box and many. The boxes contain the same facts as text. */
export function Fan({ height, middle, ends, opens }: FanProps): ReactNode {
  return (
    <svg
      className="gh-fan"
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {ends.map(({ middle: end, kind, perMinute }, index) => (
        <path
          key={index}
          data-kind={kind}
          d={opens === 'left' ? curve(end, middle) : curve(middle, end)}
          strokeWidth={thicknessOf(perMinute)}
        />
      ))}
    </svg>
  );
}

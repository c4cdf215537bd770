import type { ReactNode } from 'react';
import '../style/charts.css';
import type { CallBars } from './chart-shapes.js';

/** Renders the bars of calls in an SVG of 1 by 1: all calls, the rejected and the failed ones. */
export function CallBarPaths({ bars: { calls, rejected, errors } }: { readonly bars: CallBars }): ReactNode {
  return (
    <>
      <path className="gh-bar-calls" d={calls} />
      <path className="gh-bar-rejected" d={rejected} />
      <path className="gh-bar-errors" d={errors} />
    </>
  );
}

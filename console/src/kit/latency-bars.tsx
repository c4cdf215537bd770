import type { ReactNode } from 'react';
import '../style/charts.css';
import '../style/traffic.css';
import type { LatencyBar } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { formatCount, formatDuration, formatShare } from './numbers.js';

const text = textOf('traffic');

/** Renders the number of calls by response time. */
export function LatencyBars({ bars }: { readonly bars: readonly LatencyBar[] }): ReactNode {
  const all = bars.reduce((sum, { calls }) => sum + calls, 0);
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  if (all === 0) return <p className="gh-quiet">{text('noCallsInTime')}</p>;
  return (
    <table className="gh-latencies" aria-label={text('latencies')}>
      <tbody>
        {bars.map(({ toMs, calls }) => (
          <tr key={toMs}>
            <th scope="row">
              {toMs === null ? text('longer') : text('upTo', { time: formatDuration(toMs) })}
            </th>
            <td aria-hidden="true">
              <span className="gh-latency-bar" style={{ inlineSize: `${(calls / most) * 100}%` }} />
            </td>
            <td className="gh-number">{formatCount(calls)}</td>
            <td className="gh-number gh-quiet">{formatShare(calls, all)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { ReactNode } from 'react';
import type { AdapterStatusView, CallerRates, OverviewReply, Rates } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { formatCount, formatRate, formatShare, formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';

/** Renders rate, p95 and errors in one line. */
export function RatesLine({ traffic }: { readonly traffic: Rates }): ReactNode {
  const { perMinute, errorsPerMinute, p95Ms } = traffic;
  if (perMinute === 0) return <span className="gh-rates">no calls</span>;
  return (
    <span className="gh-rates">
      <span>{formatRate(perMinute)}</span>
      <span>p95 {formatDuration(p95Ms)}</span>
      <span data-bad={errorsPerMinute > 0}>{formatShare(errorsPerMinute, perMinute)} errors</span>
    </span>
  );
}

/** Renders the box of a client. */
export function CallerBox({
  caller: { name, perMinute, errorsPerMinute },
}: {
  readonly caller: CallerRates;
}) {
  return (
    <div className="gh-box gh-box-caller">
      <strong title={name}>{name === '' ? 'others' : name}</strong>
      <span className="gh-rates">
        <span>{formatRate(perMinute)}</span>
        {errorsPerMinute > 0 && <span data-bad="true">{formatShare(errorsPerMinute, perMinute)} errors</span>}
      </span>
    </div>
  );
}

/** Renders the box of gatehouse itself: its state, and the sum of all calls. */
export function ServerBox({
  server: { ready, traffic },
  adapters,
}: {
  readonly server: OverviewReply['server'];
  readonly adapters: readonly AdapterStatusView[];
}): ReactNode {
  const running = adapters.filter(({ state }) => state === 'RUNNING').length;
  const sum = (name: 'inFlight' | 'waiting') => adapters.reduce((all, one) => all + one[name], 0);
  return (
    <div className="gh-box gh-box-gate" data-status={ready ? 'good' : 'bad'}>
      <StatusLabel status={ready ? 'good' : 'bad'}>{ready ? 'ready' : 'not ready'}</StatusLabel>
      <span className="gh-big">{formatRate(traffic.perMinute)}</span>
      <span>p95 {formatDuration(traffic.p95Ms)}</span>
      <span className="gh-rates">
        <span data-bad={traffic.errorsPerMinute > 0}>
          {formatShare(traffic.errorsPerMinute, traffic.perMinute)} errors
        </span>
      </span>
      <span className="gh-quiet">
        {formatCount(sum('inFlight'))} in flight, {formatCount(sum('waiting'))} queued
      </span>
      <Link to="/adapters">
        {running} of {adapters.length} adapters running
      </Link>
    </div>
  );
}

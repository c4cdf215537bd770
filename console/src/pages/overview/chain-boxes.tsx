import type { ReactNode } from 'react';
import type { AdapterStatusView, CallerRates, OverviewReply, Rates } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { formatRate, formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { ErrorShares } from '../traffic/error-shares.js';
import { countsOf } from './adapter-counts.js';

const text = textOf('overview');

/** Renders rate, p95 and errors in one line. */
export function RatesLine({ traffic }: { readonly traffic: Rates }): ReactNode {
  const { calls, perMinute, p95Ms } = traffic;
  if (calls === 0) return <span className="gh-rates">{text('noCallsShort')}</span>;
  return (
    <span className="gh-rates">
      <span>{formatRate(perMinute)}</span>
      <span>{text('p95Of', { p95: formatDuration(p95Ms) })}</span>
      <ErrorShares rates={traffic} />
    </span>
  );
}

/** Renders the box of a client. */
export function CallerBox({ caller }: { readonly caller: CallerRates }): ReactNode {
  const { name, perMinute } = caller;
  return (
    <div className="gh-box gh-box-caller">
      <strong title={name}>{name === '' ? text('otherCallers') : name}</strong>
      <span className="gh-rates">
        <span>{formatRate(perMinute)}</span>
        <ErrorShares rates={caller} isBrief />
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
  const { running, paused } = countsOf(adapters);
  const sum = (name: 'inFlight' | 'waiting') => adapters.reduce((all, one) => all + one[name], 0);
  return (
    <div className="gh-box gh-box-gate" data-status={ready ? 'good' : 'bad'}>
      <StatusLabel status={ready ? 'good' : 'bad'}>{ready ? text('ready') : text('notReady')}</StatusLabel>
      <span className="gh-big">{formatRate(traffic.perMinute)}</span>
      {traffic.calls > 0 && (
        <>
          <span>{text('p95Of', { p95: formatDuration(traffic.p95Ms) })}</span>
          <span className="gh-rates">
            <ErrorShares rates={traffic} />
          </span>
        </>
      )}
      <span className="gh-quiet">
        {text('queue', { inFlight: sum('inFlight'), waiting: sum('waiting') })}
      </span>
      <Link to="/adapters">
        {text('runningAdapters', { running, count: adapters.length })}
        {paused > 0 && `, ${text('pausedAdapters', { count: paused })}`}
      </Link>
    </div>
  );
}

import type { ReactNode } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { connectionOf, adapterStatusOf, stateOf } from '../adapters/status.js';
import { RatesLine } from './chain-boxes.js';
import { type ChainRow, causeOf, type LinkKind, thicknessOf, outboundLink } from './chain.js';

const text = textOf('overview');

/**
 * Renders an adapter, its orchestrator, and the connection between them with the cause of a failure; or a
 * group of adapters.
 */
export function ChainLine({ row }: { readonly row: ChainRow }): ReactNode {
  return (
    <div className="gh-chain-line">
      {row.kind === 'one' ? <AdapterLine adapter={row.adapter} /> : <GroupLine row={row} />}
    </div>
  );
}

function AdapterLine({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const [state, connection, cause] = [stateOf(adapter), connectionOf(adapter), causeOf(adapter)];
  const to = pathOfAdapter(adapter.name);
  const [first, ...others] = adapter.baseUrls;
  return (
    <>
      <div className="gh-box" data-status={state.status}>
        <span className="gh-box-head">
          <Link to={to}>{adapter.name}</Link>
          <StatusLabel status={state.status}>{state.word}</StatusLabel>
        </span>
        <RatesLine traffic={adapter.traffic} />
      </div>
      <LinkLine kind={outboundLink(adapter)} perMinute={adapter.traffic.perMinute} />
      <div className="gh-box" data-status={connection.status}>
        <span className="gh-host" title={adapter.baseUrls.map(({ origin }) => origin).join('\n')}>
          {first ? hostOf(first.origin) : adapter.type}
        </span>
        <span className="gh-rates">
          <StatusLabel status={connection.status}>{connection.word}</StatusLabel>
          <span>{adapter.type}</span>
          {others.length > 0 && <span>{text('moreAddresses', { count: others.length })}</span>}
        </span>
      </div>
      {cause !== undefined && (
        <p className="gh-cause" data-status={adapterStatusOf(adapter).status} title={cause}>
          {cause}
        </p>
      )}
    </>
  );
}

function GroupLine({ row }: { readonly row: Extract<ChainRow, { kind: 'many' }> }): ReactNode {
  const { type, adapters, traffic } = row;
  const isGood = type !== undefined;
  const perMinute = traffic.perMinute;
  const online = adapters.filter(({ connection }) => connection === 'ONLINE').length;
  return (
    <>
      <div className="gh-box gh-box-many" data-status={isGood ? 'good' : 'bad'}>
        <span className="gh-box-head">
          <Link to={isGood ? `/adapters?type=${encodeURIComponent(type)}` : '/adapters?state=problem'}>
            {isGood
              ? text('adaptersOfType', { count: adapters.length, type })
              : text('moreWithProblems', { count: adapters.length })}
          </Link>
        </span>
        <RatesLine traffic={traffic} />
      </div>
      <LinkLine kind={perMinute > 0 ? 'carries' : 'idle'} perMinute={perMinute} />
      <div className="gh-box gh-box-many" data-status={isGood ? 'good' : 'bad'}>
        <span className="gh-box-head">
          <span className="gh-host">{text('orchestratorCount', { count: adapters.length })}</span>
        </span>
        <span className="gh-rates">
          <span>{text('onlineCount', { count: online })}</span>
          <Dots adapters={adapters} />
        </span>
      </div>
    </>
  );
}

/** Renders a dot for each adapter, limited by the available space. */
function Dots({ adapters }: { readonly adapters: readonly AdapterStatusView[] }): ReactNode {
  return (
    <span className="gh-dots" aria-hidden="true">
      {adapters.slice(0, 60).map((adapter) => (
        <i key={adapter.name} data-status={adapterStatusOf(adapter).status} title={adapter.name} />
      ))}
    </span>
  );
}

/** Renders the connection between two boxes on one line. */
function LinkLine({ kind, perMinute }: { readonly kind: LinkKind; readonly perMinute: number }): ReactNode {
  return (
    <span className="gh-way" data-kind={kind} aria-hidden="true">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
        <path data-kind={kind} d="M0 5H100" strokeWidth={thicknessOf(perMinute)} />
      </svg>
      {kind === 'broken' && <span className="gh-way-mark">✕</span>}
    </span>
  );
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}

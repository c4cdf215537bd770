import type { ReactNode } from 'react';
import { valueAt } from '../../../../src/json/pointer.js';
import type { AdapterStatusView } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { spanOf } from '../../kit/chart-shapes.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Facts, InlineList } from '../../kit/facts.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatDuration, formatRate, formatShare } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Time } from '../../kit/time.js';
import { TrafficChart } from '../../kit/traffic-chart.js';
import { textOf } from '../../text/text.js';
import { ActionDialog } from '../adapters/action-dialog.js';
import { actionsOf } from '../adapters/actions.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { causeOf, scheduleOf } from '../adapters/cause.js';
import { adapterStatusOf, breakerOf, connectionOf, stateOf } from '../adapters/status.js';
import { MissingSecretNotice } from '../configure/missing-secret.js';
import { isMissingSecret, missingSecretOf } from '../configure/saved-message.js';
import { FlowAndLatencies } from '../traffic/flow-and-latencies.js';
import { timeLabel } from '../traffic/time-label.js';
import { TrafficStrip } from '../traffic/traffic-strip.js';
import { TrafficTable } from '../traffic/traffic-table.js';
import { auditPath, callsPath, useTraffic } from '../traffic/use-traffic.js';
import type { AdapterEntry } from './adapter-entry.js';
import { TimelineEvents } from './traffic-numbers.js';

const text = textOf('traffic');
const statusText = textOf('status');

/** Renders the current state of an adapter, its cause, and its traffic over time. */
export function OverviewTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { may } = useSession();
  return (
    <>
      <Cause adapter={adapter} />
      <Schedule adapter={adapter} />
      <CurrentState adapter={adapter} />
      {may('getTraffic') && <TrafficHistory name={adapter.name} />}
      <Panel title={statusText('details')}>
        <Facts facts={detailsOf(adapter)} />
      </Panel>
    </>
  );
}

/** Renders why an adapter does not serve; for a missing secret, its name and what to do. */
function Cause({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name, cause } = adapter;
  const { may } = useSession();
  const isAboutSecret = isMissingSecret(cause) && may('getAdapter');
  const entry = useRead<AdapterEntry>(pathOf(['adapters', name]), { enabled: isAboutSecret });
  if (cause === null || (isAboutSecret && entry.isPending)) return null;
  const settings = entry.data && valueAt(entry.data.data, '/properties/properties');
  if (missingSecretOf(cause, settings)) return <MissingSecretNotice cause={cause} settings={settings} />;
  const status = adapterStatusOf(adapter).status === 'bad' ? 'danger' : 'warning';
  return <Notice kind={status} title={causeOf(adapter) ?? cause} />;
}

/** Renders the suspension that begins later, and a button that cancels it. */
function Schedule({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { may } = useSession();
  const schedule = scheduleOf(adapter);
  const cancel = actionsOf(adapter).find(({ key }) => key === 'unschedule');
  if (schedule === undefined || !cancel) return null;
  return (
    <Notice
      kind="info"
      title={schedule}
      actions={
        may(cancel.needs) && (
          <DialogButton kind="link" verb={cancel.verb}>
            {(close) => <ActionDialog name={adapter.name} action={cancel} onClose={close} />}
          </DialogButton>
        )
      }
    />
  );
}

function CurrentState({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { traffic, inFlight, waiting } = adapter;
  const [state, connection] = [stateOf(adapter), connectionOf(adapter)];
  const { calls, errors, clientErrors, perMinute, p50Ms, p95Ms } = traffic;
  return (
    <InlineList
      label={statusText('now')}
      facts={{
        [statusText('state')]: <StatusLabel status={state.status}>{state.word}</StatusLabel>,
        [statusText('connection')]: <StatusLabel status={connection.status}>{connection.word}</StatusLabel>,
        [statusText('callRate')]: (
          <Link to={`${pathOfAdapter(adapter.name)}?tab=calls`}>{formatRate(perMinute)}</Link>
        ),
        [statusText('errors')]: formatShare(errors, calls),
        ...(clientErrors > 0 && { [statusText('rejected')]: formatShare(clientErrors, calls) }),
        [statusText('latencies')]: `${formatDuration(p50Ms)} / ${formatDuration(p95Ms)}`,
        [statusText('inFlight')]: statusText('callCount', { count: inFlight }),
        [statusText('queue')]: statusText('callCount', { count: waiting }),
      }}
    />
  );
}

function TrafficHistory({ name }: { readonly name: string }): ReactNode {
  const { time, shown, whole } = useTraffic({ adapter: name });
  return (
    <>
      <TrafficStrip time={time} whole={whole} adapter={name} />
      <Read query={shown} what={text('what')}>
        {(reply) => (
          <>
            <Panel title={text('traffic')}>
              <TrafficChart
                cells={reply.cells}
                marks={reply.marks}
                span={spanOf(reply)}
                label={`${name}, ${timeLabel(time)}`}
                pathOf={({ at }) => callsPath(name, at, reply.cellSeconds * 1000)}
                hint={text('barHint')}
              />
              <div className="gh-traffic-links">
                <Link to={callsPath(name, reply.from, reply.to - reply.from)}>{text('callsOfTime')}</Link>
                <Link to={auditPath(reply.from, reply.to - reply.from)}>{text('auditOfTime')}</Link>
              </div>
              <TrafficTable cells={reply.cells} />
            </Panel>
            {reply.marks.length > 0 && (
              <Panel title={text('events')}>
                <TimelineEvents marks={reply.marks} />
              </Panel>
            )}
            <FlowAndLatencies reply={reply} />
          </>
        )}
      </Read>
    </>
  );
}

function detailsOf(adapter: AdapterStatusView) {
  const { model, type, origin, baseUrls, since, connectionSince } = adapter;
  const { lastTriedAt, lastTriedBy, lastOkAt } = adapter;
  return {
    [statusText('model')]: model,
    [statusText('plugin')]: type,
    [statusText('configured')]:
      origin.kind === 'file'
        ? statusText('inFile', { file: origin.file })
        : statusText('inDatabase', { revision: origin.revision }),
    [statusText('runningSince')]: since === null ? undefined : <Time show="both" at={since} />,
    [statusText('connectionSince')]:
      connectionSince === null ? undefined : <Time show="both" at={connectionSince} />,
    [statusText('lastTried')]:
      lastTriedAt === null ? (
        statusText('notContacted')
      ) : (
        <>
          <Time show="both" at={lastTriedAt} />{' '}
          {statusText(lastTriedBy === 'call' ? 'lastTriedByCall' : 'lastTriedByProbe')}
        </>
      ),
    [statusText('lastOk')]: lastOkAt === null ? undefined : <Time show="both" at={lastOkAt} />,
    [statusText('orchestrator')]:
      baseUrls.length === 0
        ? undefined
        : baseUrls.map(({ origin: url, breaker }) => (
            <span key={url} className="gh-one">
              <code>{url}</code>{' '}
              <span className="gh-quiet">{breaker === null ? '' : breakerOf(breaker).word}</span>
            </span>
          )),
  };
}

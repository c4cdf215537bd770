import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { asCurl, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CodeView, CopyButton } from '../../kit/copy.js';
import { Drawer } from '../../kit/drawer.js';
import { Facts } from '../../kit/facts.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatDuration } from '../../kit/numbers.js';
import { REQUEST_AT_PARAMETER, REQUEST_PARAMETER, RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import { formatTime, Time } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { formatSize } from '../../text/locale.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { formatFields } from '../log/log-lines.js';
import { AttemptList } from './attempt-list.js';
import { RecordChange } from './record-change.js';
import {
  repeatRequest,
  resultOf,
  textForChat,
  toneOf,
  type TrailReply,
  type TrailRequest,
} from './request-trail.js';

const text = textOf('request');

/**
 * Renders the request that the address names (`?request=<id>`) at the side of any page; nothing without one.
 */
export function RequestDrawer(): ReactNode {
  const [{ request: id = '', requestAt: at = '' }, setUrl] = useUrlState<Readonly<Record<string, string>>>({
    [REQUEST_PARAMETER]: '',
    [REQUEST_AT_PARAMETER]: '',
  });
  if (id === '') return null;
  const close = () => setUrl({ [REQUEST_PARAMETER]: '', [REQUEST_AT_PARAMETER]: '' });
  return <OpenDrawer key={`${id} ${at}`} id={id} at={at} onClose={close} />;
}

interface OpenDrawerProps {
  readonly id: string;
  readonly at: string;
  readonly onClose: () => void;
}

function OpenDrawer({ id, at, onClose }: OpenDrawerProps): ReactNode {
  // The server records each lookup in the audit trail.
  const path = pathOf(['console', 'requests', id], at === '' ? {} : { at });
  const found = useRead<TrailReply>(path, { isCached: true });
  const { data } = found;
  return (
    <Drawer
      title={text('title', { id })}
      onClose={onClose}
      {...(data && { actions: <CopyTrail trail={data} /> })}
    >
      <Read query={found} what={text('what')}>
        {(trail) => (
          <Trail trail={trail} onAskAgain={() => void found.refetch()} isAsking={found.isFetching} />
        )}
      </Read>
    </Drawer>
  );
}

/** Renders the buttons that copy the request as a command, and the trail as text. */
function CopyTrail({ trail }: { readonly trail: TrailReply }): ReactNode {
  const { request } = trail;
  const repeat = request && repeatRequest(request);
  return (
    <>
      {repeat && <CopyButton text={() => asCurl(repeat.wanted)}>{text('copyCurl')}</CopyButton>}
      <CopyButton text={() => textForChat(trail, window.location.href)}>{text('copyChat')}</CopyButton>
      {repeat && !repeat.isComplete && <span className="gh-quiet">{text('noBody')}</span>}
    </>
  );
}

interface TrailProps {
  readonly trail: TrailReply;
  /** Asks all nodes for the request again. */
  readonly onAskAgain: () => void;
  readonly isAsking: boolean;
}

function Trail({ trail, onAskAgain, isAsking }: TrailProps): ReactNode {
  const { request, attempts, records, lines, silentNodes } = trail;
  const silent = silentNodes > 0 && (
    <Notice
      kind="warning"
      title={text('silent', { count: silentNodes })}
      actions={
        <Button kind="link" isBusy={isAsking} onPress={onAskAgain}>
          {text('askAgain')}
        </Button>
      }
    >
      {text('silentWhy')}
    </Notice>
  );
  if (!request && records.length === 0 && lines.length === 0)
    return (
      <>
        {silent}
        <Empty title={text('nothing')}>{text('nothingWhy')}</Empty>
      </>
    );
  return (
    <>
      {silent}
      {trail.isShared && <SharedId id={trail.requestId} others={trail.others} />}
      {request ? <RequestFacts request={request} /> : <p>{text('forgotten')}</p>}
      {attempts.length > 0 && (
        <section aria-label={text('attempts')}>
          <h3>{text('attemptCount', { count: attempts.length })}</h3>
          <AttemptList attempts={attempts} totalMs={request?.ms ?? 0} />
        </section>
      )}
      <section aria-label={text('records')}>
        <h3>{text('records')}</h3>
        {records.length === 0 && <p className="gh-quiet">{text('noRecords')}</p>}
        {records.map((record) => (
          <RecordView key={`${record.seq ?? ''} ${record.time}`} record={record} />
        ))}
      </section>
      <section aria-label={text('lines')}>
        <h3>{text('lines')}</h3>
        {lines.length === 0 && <p className="gh-quiet">{text('noLines')}</p>}
        <ul className="gh-request-lines">
          {lines.map(({ at, level, message, fields }, index) => (
            <li key={`${at} ${index}`}>
              {`${new Date(at).toISOString()} ${level} ${message} ${formatFields(fields, ['requestId', 'traceId'])}`}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Says that several requests have the id, and renders links to the others that the server knows. */
function SharedId({
  id,
  others,
}: {
  readonly id: string;
  readonly others: readonly TrailRequest[];
}): ReactNode {
  return (
    <Notice kind="warning" title={text('shared')}>
      {text('sharedWhy')}
      <ul>
        {others.map(({ at, caller, method, path, status }) => (
          <li key={at}>
            <RequestLink id={id} at={at}>
              {text('sharedOther', {
                time: formatTime(at),
                caller: caller === '' ? 'none' : caller,
                method,
                path,
                status,
              })}
            </RequestLink>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function RequestFacts({ request }: { readonly request: TrailRequest }): ReactNode {
  const { at, ms, method, path, about, adapter, status, detail, bytes, roles, clientAddress } = request;
  const facts: Readonly<Record<string, ReactNode>> = {
    [text('result')]: <StatusLabel status={toneOf(status)}>{resultOf(request)}</StatusLabel>,
    [text('detail')]: detail ?? undefined,
    [text('call')]: <code>{about === '' ? `${method} ${path}` : about}</code>,
    [text('received')]: about === '' ? undefined : <code>{`${method} ${path}`}</code>,
    [text('adapter')]: adapter === '' ? undefined : <Link to={pathOfAdapter(adapter)}>{adapter}</Link>,
    [text('node')]: <code>{request.node}</code>,
    [text('time')]: <Time show="both" at={at} />,
    [text('duration')]: formatDuration(ms),
    [text('size')]: bytes === null ? undefined : formatSize(bytes),
    [text('caller')]: request.caller,
    [text('roles')]: roles.length === 0 ? undefined : roles.join(', '),
    [text('address')]: clientAddress ?? undefined,
    [text('trace')]: request.traceId === null ? undefined : <code>{request.traceId}</code>,
  };
  return <Facts facts={facts} />;
}

/** Renders an audit record with its place in the chain, what it changed, and the whole record as it is stored. */
export function RecordView({
  record,
  isOpen = false,
}: {
  readonly record: TrailReply['records'][number];
  /** True if the whole record is shown at first. */
  readonly isOpen?: boolean;
}): ReactNode {
  const { seq, time, operation, target, status, outcome, name, subject } = record;
  return (
    <>
      <Facts
        facts={{
          [text('place')]: seq === undefined ? text('noPlace') : text('placeNumber', { seq }),
          [text('time')]: <Time show="both" at={time} />,
          [text('who')]: name ?? (subject === '' ? undefined : subject),
          [text('operation')]: <code>{operation}</code>,
          [text('target')]: <code>{target}</code>,
          [text('outcome')]: outcome === '' ? String(status) : `${status} ${outcome}`,
        }}
      />
      <RecordChange record={record} />
      <details className="gh-fold" open={isOpen}>
        <summary>{text('wholeRecord')}</summary>
        <CodeView label={text('wholeRecord')} text={JSON.stringify(record, null, 2)} />
      </details>
    </>
  );
}

import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CodeView } from '../../kit/copy.js';
import { Empty, Notice } from '../../kit/feedback.js';
import { RowsTable } from '../../kit/rows-table.js';
import { StatusLabel, Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { formatTime, Time } from '../../kit/time.js';
import { formatSpan } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { NOTIFICATIONS_PATH, type Receiver } from './api.js';

const text = textOf('notifications');

/** A webhook as the main file configures it. */
const SAMPLE = `egress:
  allow: ['chat.example.com:443']
notifications:
  receivers:
    - name: chat
      webhook:
        url: https://chat.example.com/hooks/noc
        secret: $VAULT_notifications/chat#key
`;

/** Renders the receivers with the state of their latest message; without one, how to configure a receiver. */
export function Receivers({ receivers }: { readonly receivers: readonly Receiver[] }): ReactNode {
  const { may } = useSession();
  if (receivers.length === 0)
    return (
      <>
        <Empty title={text('none')}>{text('none.help')}</Empty>
        <CodeView text={SAMPLE} label={text('sample')} />
      </>
    );
  return (
    <RowsTable
      label={text('receivers')}
      columns={columns(may('testNotificationReceiver'))}
      rows={receivers}
      keyOf={({ name }) => name}
    />
  );
}

function columns(mayTest: boolean): readonly Column<Receiver>[] {
  return [
    {
      key: 'name',
      title: text('receiver'),
      cell: ({ name, kind, target }) => (
        <>
          <strong>{name}</strong> <Tag>{text(kind)}</Tag>
          <div className="gh-quiet gh-wrap">{target}</div>
        </>
      ),
    },
    { key: 'state', title: text('state'), cell: (receiver) => <ReceiverState receiver={receiver} /> },
    {
      key: 'last',
      title: text('lastSent'),
      cell: ({ lastSentAt }) =>
        lastSentAt === null ? (
          <span className="gh-quiet">{text('lastSent.none')}</span>
        ) : (
          <Time at={lastSentAt} />
        ),
    },
    { key: 'reports', title: text('reports'), cell: (receiver) => <Reports receiver={receiver} /> },
    ...(mayTest
      ? [
          {
            key: 'test',
            title: text('test'),
            cell: ({ name }: Receiver) => <TestMessage name={name} />,
          },
        ]
      : []),
  ];
}

function ReceiverState({ receiver: { failure } }: { readonly receiver: Receiver }): ReactNode {
  if (!failure) return <StatusLabel status="good">{text('noFailure')}</StatusLabel>;
  const { reason, retryAt } = failure;
  return (
    <>
      <StatusLabel status="bad">{text('failed')}</StatusLabel>{' '}
      <span className="gh-wrap">
        {text('failedSince', { reason: reason.replace(/[^.]$/, '$&.'), time: formatTime(retryAt) })}
      </span>
    </>
  );
}

/** Renders which problems the receiver gets, and when. */
function Reports({ receiver }: { readonly receiver: Receiver }): ReactNode {
  const { minSeverity, tags, waitSeconds, repeatMinutes } = receiver;
  const severity = text(minSeverity === 'danger' ? 'errorsOnly' : 'warningsToo');
  return (
    <>
      {text('reportsOf', { severity, wait: formatSpan(waitSeconds * 1000) })}{' '}
      {tags.length === 0 ? text('anyTag') : tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}
      <div className="gh-quiet">
        {text('reminders', { repeat: repeatMinutes, span: formatSpan(repeatMinutes * 60_000) })}
      </div>
    </>
  );
}

/** Renders the button that sends a test message, and its result until the next one. */
function TestMessage({ name }: { readonly name: string }): ReactNode {
  const test = useWrite([NOTIFICATIONS_PATH]);
  const path = pathOf(['notifications', 'receivers', name, 'test']);
  return (
    <>
      <Button
        isSmall
        isBusy={test.isPending}
        label={text('testLabel', { name })}
        onPress={() => test.mutate({ method: 'POST', path })}
      >
        {text('test')}
      </Button>
      <div role="status">
        {test.isSuccess && <Notice kind="success" title={text('testDone', { name })} />}
        {test.error && (
          <Notice kind="danger" title={text('testRefused', { name })}>
            {test.error.message}
          </Notice>
        )}
      </div>
    </>
  );
}

import type { ReactNode } from 'react';
import type { LimitStatus, LimitUsage, LimitView } from '../../../../src/core/limits.js';
import { useRead } from '../../api/queries.js';
import { RawLinks } from '../../kit/copy.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page, Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { textOf } from '../../text/text.js';
import { countedBy, permittedBy, stateOf } from './limit.js';

const text = textOf('limits');

const PATH = '/console/limits';
const REFRESH_MS = 5_000;

/** Renders the limits of callers, and who is near or at them. */
export function Limits(): ReactNode {
  const limits = useRead<LimitStatus>(PATH, { everyMs: REFRESH_MS });
  return (
    <Page title={text('title')} lead={text('lead')} actions={<RawLinks path={PATH} />}>
      <Read query={limits} what={text('what')}>
        {({ shared, limits: configured, callers }) =>
          configured.length === 0 ? (
            <Empty title={text('none')}>{text('noneHelp')}</Empty>
          ) : (
            <>
              {shared === 'share' && (
                <Notice kind="warning" title={text('away')}>
                  {text('awayHelp')}
                </Notice>
              )}
              <Panel title={text('callers')}>
                <DataTable
                  label={text('callersLabel')}
                  columns={callerColumns()}
                  rows={callers}
                  keyOf={({ limit, caller, issuer }) => `${limit} ${issuer} ${caller}`}
                  sort="-used"
                  empty={<Empty title={text('noCallers')}>{text('noCallersHelp')}</Empty>}
                />
              </Panel>
              <Panel title={text('configured')}>
                <DataTable
                  label={text('configuredLabel')}
                  columns={limitColumns()}
                  rows={configured}
                  keyOf={({ name }) => name}
                  sort="name"
                  empty={<Empty title={text('none')}>{text('noneHelp')}</Empty>}
                />
              </Panel>
            </>
          )
        }
      </Read>
    </Page>
  );
}

function callerColumns(): readonly Column<LimitUsage>[] {
  return [
    {
      key: 'caller',
      title: text('caller'),
      cell: ({ caller, issuer }) => (
        <>
          <span className="gh-breakable">{caller}</span>{' '}
          {issuer !== '' && <span className="gh-quiet gh-breakable">{text('ofIssuer', { issuer })}</span>}
        </>
      ),
      sortBy: ({ caller }) => caller,
      text: ({ caller, issuer }) => `${caller} ${issuer}`,
    },
    {
      key: 'limit',
      title: text('limit'),
      cell: ({ limit }) => <code>{limit}</code>,
      sortBy: ({ limit }) => limit,
      text: ({ limit }) => limit,
    },
    {
      key: 'used',
      title: text('used'),
      cell: (row) => (
        <>
          {text('usedPercent', { percent: row.usedPercent })}{' '}
          <StatusLabel status={stateOf(row).status}>{stateOf(row).word}</StatusLabel>
        </>
      ),
      sortBy: ({ usedPercent }) => usedPercent,
      text: (row) => stateOf(row).word,
    },
    {
      key: 'remaining',
      title: text('remaining'),
      cell: ({ remaining }) => remaining ?? text('unlimited'),
      sortBy: ({ remaining }) => remaining ?? undefined,
    },
    {
      key: 'running',
      title: text('running'),
      cell: ({ running }) => running,
      sortBy: ({ running }) => running,
    },
    {
      key: 'refused',
      title: text('refused'),
      cell: ({ refused }) => refused,
      sortBy: ({ refused }) => refused,
    },
  ];
}

function limitColumns(): readonly Column<LimitView>[] {
  return [
    {
      key: 'name',
      title: text('limit'),
      cell: ({ name }) => <code>{name}</code>,
      sortBy: ({ name }) => name,
      text: ({ name }) => name,
    },
    {
      key: 'permits',
      title: text('permits'),
      cell: (row) => <Lines lines={permittedBy(row)} />,
      text: (row) => permittedBy(row).join(' '),
    },
    { key: 'per', title: text('per'), cell: ({ per }) => text(per), sortBy: ({ per }) => text(per) },
    {
      key: 'counts',
      title: text('counts'),
      cell: (row) => <Lines lines={countedBy(row)} />,
      text: (row) => countedBy(row).join(' '),
    },
    {
      key: 'callers',
      title: text('counted'),
      cell: ({ callers }) => callers,
      sortBy: ({ callers }) => callers,
    },
    {
      key: 'refused',
      title: text('refused'),
      cell: ({ refused }) => refused,
      sortBy: ({ refused }) => refused,
    },
  ];
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <ul className="gh-plain-list">
      {lines.map((line) => (
        <li key={line} className="gh-breakable">
          {line}
        </li>
      ))}
    </ul>
  );
}

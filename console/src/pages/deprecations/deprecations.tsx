import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import type { Column } from '../../kit/table-rows.js';
import { Tabs } from '../../kit/tabs.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import {
  type Client,
  clientsOf,
  type Deprecation,
  type DeprecationsReply,
  usageSummary,
} from './deprecation.js';
import { Operations, RouteText } from './operations.js';

const text = textOf('deprecations');

const PATH = '/deprecations';

/** Renders operations of previous releases, and their remaining callers. */
export function Deprecations(): ReactNode {
  const deprecations = useRead<DeprecationsReply>(PATH);
  return (
    <Page title={text('title')} lead={text('lead')} source={{ path: PATH }}>
      <Read query={deprecations} what={text('what')}>
        {({ release, results }) => (
          <>
            <Notice kind="info" title={usageSummary(results)}>
              {text('usageHelp', { release })}
            </Notice>
            <Tabs
              label={text('title')}
              tabs={[
                { key: 'operations', title: text('operations'), content: <Operations all={results} /> },
                { key: 'clients', title: text('clients'), content: <Clients all={results} /> },
              ]}
            />
          </>
        )}
      </Read>
    </Page>
  );
}

/** Renders the clients that still call deprecated operations. */
export function Clients({ all }: { readonly all: readonly Deprecation[] }): ReactNode {
  return (
    <DataTable
      label={text('clientsLabel')}
      columns={columns()}
      rows={clientsOf(all)}
      keyOf={({ caller, issuer }) => `${issuer} ${caller}`}
      sort="-calls"
      empty={<Empty title={text('noCallers')}>{text('noCallersHelp')}</Empty>}
    />
  );
}

function columns(): readonly Column<Client>[] {
  return [
    {
      key: 'client',
      title: text('client'),
      cell: ({ caller, issuer }) => (
        <>
          {caller} {issuer !== '' && <span className="gh-quiet">{text('ofIssuer', { issuer })}</span>}
        </>
      ),
      sortBy: ({ caller }) => caller,
      text: ({ caller, issuer }) => `${caller} ${issuer}`,
    },
    {
      key: 'operations',
      title: text('calls'),
      cell: ({ operations }) => (
        <ul className="gh-plain-list">
          {operations.map(({ operation, calls }) => (
            <li key={operation.operation}>
              <RouteText route={operation} /> <span className="gh-quiet">{calls} ×</span>
            </li>
          ))}
        </ul>
      ),
      text: ({ operations }) => operations.map(({ operation: { path } }) => path).join(' '),
    },
    { key: 'calls', title: text('total'), cell: ({ calls }) => calls, sortBy: ({ calls }) => calls },
    {
      key: 'last',
      title: text('lastCall'),
      cell: ({ lastCall }) => <Time at={lastCall} />,
      sortBy: ({ lastCall }) => Date.parse(lastCall),
    },
  ];
}

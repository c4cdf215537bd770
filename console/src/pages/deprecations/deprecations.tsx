import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { Tabs } from '../../kit/tabs.js';
import {
  type Client,
  clientsOf,
  type Deprecation,
  type DeprecationsReply,
  usageSummary,
} from './deprecation.js';
import { Operations, RouteText } from './operations.js';
import { DataTable } from '../../kit/data-table.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';

const PATH = '/deprecations';

/** Renders operations of previous releases, and their remaining callers. */
export function Deprecations(): ReactNode {
  const deprecations = useRead<DeprecationsReply>(PATH);
  return (
    <Page
      title="Deprecations"
      lead="Deprecated operations, their replacements, and the clients that still call them."
      actions={<RawLinks path={PATH} />}
    >
      <Read query={deprecations} what="the deprecated operations">
        {({ release, results }) => (
          <>
            <Notice kind="info" title={usageSummary(results)}>
              This server implements release {release}. Calls are counted since the server started. Before you
              remove an operation, wait until your least frequent client has called.
            </Notice>
            <Tabs
              label="Deprecations"
              tabs={[
                { key: 'operations', title: 'Operations', content: <Operations all={results} /> },
                { key: 'clients', title: 'Clients', content: <Clients all={results} /> },
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
      label="Clients of deprecated operations"
      columns={COLUMNS}
      rows={clientsOf(all)}
      keyOf={({ caller, issuer }) => `${issuer} ${caller}`}
      sort="-calls"
      empty={
        <Empty title="No callers">
          No deprecated operation was called since the server started. An operation without calls can be
          removed.
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<Client>[] = [
  {
    key: 'client',
    title: 'Client',
    cell: ({ caller, issuer }) => (
      <>
        {caller} {issuer !== '' && <span className="gh-quiet">of {issuer}</span>}
      </>
    ),
    sortBy: ({ caller }) => caller,
    text: ({ caller, issuer }) => `${caller} ${issuer}`,
  },
  {
    key: 'operations',
    title: 'Calls',
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
  { key: 'calls', title: 'Total', cell: ({ calls }) => calls, sortBy: ({ calls }) => calls },
  {
    key: 'last',
    title: 'Last call',
    cell: ({ lastCall }) => <Ago at={lastCall} />,
    sortBy: ({ lastCall }) => Date.parse(lastCall),
  },
];

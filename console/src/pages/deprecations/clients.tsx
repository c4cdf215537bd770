import type { ReactNode } from 'react';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { type Client, clientsOf, type Deprecation } from './deprecation.js';
import { RouteText } from './operations.js';

/** The clients that still call deprecated operations. */
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

import type { ReactNode } from 'react';
import { ShareBar } from '../../kit/charts.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { PathText } from '../../kit/path-text.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type Deprecation, replacementAdviceOf, type Route, sharesOf } from './deprecation.js';

const text = textOf('deprecations');

/** Renders the deprecated operations, those that need action first. */
export function Operations({ all }: { readonly all: readonly Deprecation[] }): ReactNode {
  const busiest = Math.max(...all.map(({ calls }) => calls), 1);
  return (
    <DataTable
      label={text('operationsLabel')}
      columns={columnsFor(busiest)}
      rows={all}
      keyOf={({ operation }) => operation}
      sort="verdict"
      empty={<Empty title={text('nothing')}>{text('nothingHelp')}</Empty>}
    />
  );
}

function columnsFor(busiest: number): readonly Column<Deprecation>[] {
  return [
    {
      key: 'operation',
      title: text('operation'),
      cell: (row) => <RouteText route={row} />,
      sortBy: ({ path }) => path,
      text: ({ method, path, operation }) => `${method} ${path} ${operation}`,
    },
    {
      key: 'verdict',
      card: 'end',
      title: text('state'),
      cell: (row) => (
        <StatusLabel status={replacementAdviceOf(row).status}>{replacementAdviceOf(row).word}</StatusLabel>
      ),
      sortBy: (row) => replacementAdviceOf(row).rank,
      text: (row) => replacementAdviceOf(row).word,
    },
    {
      key: 'calls',
      title: text('callsByClient'),
      cell: (row) => <ShareBar total={row.calls} shares={sharesOf(row, busiest)} />,
      sortBy: ({ calls }) => calls,
      text: ({ callers }) => callers.map(({ caller }) => caller).join(' '),
    },
    {
      key: 'last',
      title: text('lastCall'),
      cell: ({ lastCall }) => <Time at={lastCall} />,
      sortBy: ({ lastCall }) => (lastCall === null ? undefined : Date.parse(lastCall)),
    },
    {
      key: 'use',
      title: text('replacement'),
      cell: ({ replacements }) => <Replacements routes={replacements} />,
      text: ({ replacements }) => replacements.map(({ path }) => path).join(' '),
    },
    {
      key: 'removed',
      title: text('removedIn'),
      cell: ({ removedIn }) => removedIn,
      sortBy: ({ removedIn }) => removedIn,
      text: ({ removedIn }) => removedIn,
    },
  ];
}

/** Renders a method and a path. */
export function RouteText({ route: { method, path } }: { readonly route: Route }): ReactNode {
  return (
    <>
      <code>{method}</code> <PathText path={path} />
    </>
  );
}

function Replacements({ routes }: { readonly routes: readonly Route[] }): ReactNode {
  if (routes.length === 0) return <span className="gh-quiet">{text('noReplacement')}</span>;
  return (
    <ul className="gh-plain-list">
      {routes.map((route) => (
        <li key={`${route.method} ${route.path}`}>
          <RouteText route={route} />
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { DataTable } from '../../kit/data-table.js';
import { Filter } from '../../kit/choices.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { CHECKS, type HealthRow, rowRank } from './matrix.js';

const KINDS = [
  { value: '', label: 'any' },
  { value: 'server', label: 'server' },
  { value: 'service', label: 'service' },
  { value: 'application', label: 'application' },
  { value: 'adapter', label: 'adapter' },
] as const;

/** Renders the matrix of components and checks; filtered by `?kind=` in the URL. */
export function HealthTable({ rows }: { readonly rows: readonly HealthRow[] }): ReactNode {
  const [{ kind }, setUrl] = useUrlState({ kind: '' });
  return (
    <DataTable
      label="Components"
      isWide
      columns={COLUMNS}
      rows={rows.filter((row) => kind === '' || row.kind === kind)}
      keyOf={(row) => `${row.kind} ${row.name}`}
      filters={
        <Filter label="Kind" value={kind} onChange={(next) => setUrl({ kind: next })} options={KINDS} />
      }
      empty={
        <div className="gh-toolbar">
          <Filter label="Kind" value={kind} onChange={(next) => setUrl({ kind: next })} options={KINDS} />
          <span>No component of this kind.</span>
        </div>
      }
    />
  );
}

const COLUMNS: readonly Column<HealthRow>[] = [
  {
    key: 'name',
    title: 'Component',
    cell: (row) => (
      <>
        <ComponentName row={row} /> <span className="gh-below gh-quiet">{row.kind}</span>
      </>
    ),
    sortBy: ({ name }) => name,
    text: ({ name, kind }) => `${name} ${kind}`,
  },
  ...CHECKS.map((check): Column<HealthRow> => {
    const checkOf = ({ checks }: HealthRow) => checks[check];
    return {
      key: check.toLowerCase(),
      title: check,
      cell: (row) => {
        const found = checkOf(row);
        return found ? (
          <StatusLabel status={found.status}>{found.word}</StatusLabel>
        ) : (
          <span className="gh-quiet">not checked</span>
        );
      },
      sortBy: (row) => checkOf(row)?.word,
      text: (row) => checkOf(row)?.word ?? '',
    };
  }),
  {
    key: 'good',
    title: 'Last good',
    cell: ({ lastGood }) =>
      lastGood === null ? <span className="gh-quiet">unknown</span> : <Ago at={lastGood} />,
    sortBy: ({ lastGood }) => lastGood ?? undefined,
  },
  {
    key: 'why',
    title: 'Cause',
    cell: ({ why }) => <span className="gh-wrap">{why ?? ''}</span>,
    sortBy: (row) => rowRank(row),
    text: ({ why }) => why ?? '',
  },
];

function ComponentName({ row: { kind, name } }: { readonly row: HealthRow }): ReactNode {
  if (kind === 'adapter') return <Link to={`/adapters/${encodeURIComponent(name)}`}>{name}</Link>;
  return name === 'vault' && kind === 'service' ? <Link to="/secrets">{name}</Link> : <strong>{name}</strong>;
}

import type { ReactNode } from 'react';
import { Filter } from '../../kit/choices.js';
import { DataTable } from '../../kit/data-table.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { type Check, CHECKS, type HealthRow, rowKeyOf, rowRank } from './matrix.js';

const text = textOf('health');

function kinds(): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: '', label: text('all') },
    ...(['server', 'service', 'application', 'adapter'] as const).map((kind) => ({
      value: kind,
      label: text(kind),
    })),
  ];
}

/** Renders the matrix of components and checks; filtered by `?kind=` in the URL. */
export function HealthTable({ rows }: { readonly rows: readonly HealthRow[] }): ReactNode {
  const [{ kind }, setUrl] = useUrlState({ kind: '' });
  return (
    <DataTable
      label={text('components')}
      columns={columns()}
      rows={rows.filter((row) => kind === '' || row.kind === kind)}
      keyOf={rowKeyOf}
      filters={
        <Filter
          label={text('kind')}
          value={kind}
          onChange={(next) => setUrl({ kind: next })}
          options={kinds()}
        />
      }
      empty={<p>{text('noneOfKind')}</p>}
    />
  );
}

function columns(): readonly Column<HealthRow>[] {
  return [
    {
      key: 'name',
      title: text('component'),
      cell: (row) => (
        <>
          <ComponentName row={row} /> <span className="gh-below gh-quiet">{text(row.kind)}</span>
        </>
      ),
      sortBy: ({ name }) => name,
      text: ({ name, kind, members = [] }) => `${name} ${text(kind)} ${members.join(' ')}`,
    },
    ...CHECKS.map(checkColumn),
    {
      key: 'good',
      title: text('lastOk'),
      cell: ({ lastGood }) =>
        lastGood === null ? <span className="gh-quiet">{text('unknown')}</span> : <Time at={lastGood} />,
      sortBy: ({ lastGood }) => lastGood ?? undefined,
    },
    {
      key: 'why',
      card: 'line',
      title: text('reason'),
      cell: ({ why }) => why,
      sortBy: (row) => rowRank(row),
      text: ({ why }) => why ?? '',
    },
  ];
}

/** Returns the column of a check; the cell is empty for a component without this check. */
function checkColumn(check: Check): Column<HealthRow> {
  const checkOf = ({ checks }: HealthRow) => checks[check];
  return {
    key: check,
    ...(check === 'status' && { card: 'end' as const }),
    title: text(check),
    cell: (row) => {
      const found = checkOf(row);
      return found && <StatusLabel status={found.status}>{found.word}</StatusLabel>;
    },
    sortBy: (row) => checkOf(row)?.word,
    text: (row) => checkOf(row)?.word ?? '',
  };
}

function ComponentName({ row: { kind, name, members } }: { readonly row: HealthRow }): ReactNode {
  if (members)
    return (
      <>
        <strong>{name}</strong>
        <details>
          <summary>{text('groupNames')}</summary>
          <ul className="gh-trouble-names">
            {members.map((member) => (
              <li key={member}>
                <Link to={pathOfAdapter(member)}>{member}</Link>
              </li>
            ))}
          </ul>
        </details>
      </>
    );
  if (kind === 'adapter') return <Link to={pathOfAdapter(name)}>{name}</Link>;
  return name === 'vault' && kind === 'service' ? <Link to="/secrets">{name}</Link> : <strong>{name}</strong>;
}

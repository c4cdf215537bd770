import type { ReactNode } from 'react';
import '@patternfly/react-styles/css/components/Table/table.css';
import '@patternfly/react-styles/css/components/Table/table-grid.css';
import { Pagination } from '@patternfly/react-core/dist/esm/components/Pagination';
import type { Column } from './table-rows.js';

export interface RowsTableProps<Row> {
  /** Names the rows: "Records". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Many columns: rows are cards on middle-sized screens already. */
  readonly isWide?: boolean;
  /** The heading of a column, a cell of its own; its title alone when absent. */
  readonly heading?: (column: Column<Row>) => ReactNode;
}

/** Rows as they come, for lists that the server searches, sorts and pages. On small screens rows become cards. */
export function RowsTable<Row>(props: RowsTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, isWide = false, heading = titleHeading } = props;
  return (
    <table
      className={`pf-v6-c-table ${isWide ? 'pf-m-grid-lg' : 'pf-m-grid-md'} pf-m-compact`}
      aria-label={label}
    >
      <thead className="pf-v6-c-table__thead">
        <tr className="pf-v6-c-table__tr">{columns.map(heading)}</tr>
      </thead>
      <tbody className="pf-v6-c-table__tbody">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="pf-v6-c-table__tr">
            {columns.map(({ key, title, cell }) => (
              <td key={key} className="pf-v6-c-table__td" data-label={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function titleHeading({ key, title }: Pick<Column<never>, 'key' | 'title'>): ReactNode {
  return <HeadingCell key={key}>{title}</HeadingCell>;
}

export interface HeadingCellProps {
  readonly children: ReactNode;
  /** How the rows are sorted by this column; absent where they cannot be. */
  readonly order?: 'ascending' | 'descending' | 'none';
}

/** The head of a column. */
export function HeadingCell({ children, order }: HeadingCellProps): ReactNode {
  return (
    <th className="pf-v6-c-table__th" scope="col" aria-sort={order}>
      {children}
    </th>
  );
}

export interface PagerProps {
  readonly total: number;
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Leads through the pages of a list; nothing where there is one alone. */
export function Pager({ total, size, page, onPage }: PagerProps): ReactNode {
  if (total <= size) return null;
  return (
    <Pagination
      itemCount={total}
      perPage={size}
      perPageOptions={[]}
      page={page}
      variant="bottom"
      onSetPage={(_event, next) => onPage(next)}
    />
  );
}

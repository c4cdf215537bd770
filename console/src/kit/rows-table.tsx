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
}

/** Rows as they come, for lists that the server searches, sorts and pages. On small screens rows become cards. */
export function RowsTable<Row>({ label, columns, rows, keyOf }: RowsTableProps<Row>): ReactNode {
  return (
    <table className="pf-v6-c-table pf-m-grid-md pf-m-compact" aria-label={label}>
      <thead className="pf-v6-c-table__thead">
        <tr className="pf-v6-c-table__tr">
          {columns.map(({ key, title }) => (
            <th key={key} className="pf-v6-c-table__th" scope="col">
              {title}
            </th>
          ))}
        </tr>
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

export interface PagerProps {
  readonly total: number;
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Leads through the pages of a list that the server cuts; nothing where there is one alone. */
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

import { Pagination } from '@patternfly/react-core/dist/esm/components/Pagination';
import '@patternfly/react-styles/css/components/Table/table.css';
import '@patternfly/react-styles/css/components/Table/table-grid.css';
import type { ReactNode } from 'react';
import { textOf } from '../text/text.js';
import type { Column } from './table-rows.js';

const text = textOf('kit');

export interface RowsTableProps<Row> {
  /** Name of the rows: "Records". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** True for many columns: rows become cards on medium screens already. */
  readonly isWide?: boolean;
  /** Renders the header cell of a column; its title by default. */
  readonly heading?: (column: Column<Row>) => ReactNode;
}

/**
 * Renders a table of rows in the given order, for lists that the server searches, sorts and pages. On small
 * screens rows become cards.
 */
export function RowsTable<Row>(props: RowsTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, isWide = false, heading = titleHeading } = props;
  return (
    <div className="gh-table">
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
    </div>
  );
}

function titleHeading({ key, title }: Pick<Column<never>, 'key' | 'title'>): ReactNode {
  return <HeadingCell key={key}>{title}</HeadingCell>;
}

interface HeadingCellProps {
  readonly children: ReactNode;
  /** Sort order of this column; absent if rows cannot be sorted by it. */
  readonly order?: 'ascending' | 'descending' | 'none';
}

/** Renders the header of a column. */
export function HeadingCell({ children, order }: HeadingCellProps): ReactNode {
  return (
    <th className="pf-v6-c-table__th" scope="col" aria-sort={order}>
      {children}
    </th>
  );
}

interface PagerProps {
  readonly total: number;
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Navigates the pages of a list; shows nothing if there is only one page. */
export function Pager({ total, size, page, onPage }: PagerProps): ReactNode {
  if (total <= size) return null;
  return (
    <Pagination
      itemCount={total}
      perPage={size}
      perPageOptions={[]}
      page={page}
      variant="bottom"
      titles={{
        paginationAriaLabel: text('pager'),
        toFirstPageAriaLabel: text('pager.toFirst'),
        toPreviousPageAriaLabel: text('pager.previous'),
        toNextPageAriaLabel: text('pager.next'),
        toLastPageAriaLabel: text('pager.last'),
        currPageAriaLabel: text('pager.current'),
        ofWord: text('pager.of'),
      }}
      onSetPage={(_event, next) => onPage(next)}
    />
  );
}

import { memo, type ReactNode } from 'react';
import '../style/table.css';
import { Button } from './button.js';
import { text } from './kit-text.js';
import { formatCount } from './numbers.js';
import type { Column } from './table-rows.js';

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
      <table data-wide={isWide} aria-label={label}>
        <thead>
          <tr>{columns.map(heading)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} columns={columns as readonly Column<unknown>[]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableRowProps {
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
}

/** Renders a row again only if the row or the columns are others: a live table changes every two seconds, most rows do not. */
const TableRow = memo(function TableRow({ row, columns }: TableRowProps): ReactNode {
  return (
    <tr>
      {columns.map(({ key, title, cell, isNumber }) => (
        <td key={key} data-column={key} data-label={title} data-number={isNumber}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});

function titleHeading(column: HeadingCellProps['column']): ReactNode {
  return (
    <HeadingCell key={column.key} column={column}>
      {column.title}
    </HeadingCell>
  );
}

interface HeadingCellProps {
  readonly column: Pick<Column<never>, 'key' | 'title' | 'isNumber'>;
  readonly children: ReactNode;
  /** Sort order of this column; absent if rows cannot be sorted by it. */
  readonly order?: 'ascending' | 'descending' | 'none';
}

export function HeadingCell({ column, children, order }: HeadingCellProps): ReactNode {
  return (
    <th scope="col" aria-sort={order} data-column={column.key} data-number={column.isNumber}>
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
  const last = Math.ceil(total / size);
  const from = formatCount((page - 1) * size + 1);
  const to = formatCount(Math.min(page * size, total));
  return (
    <nav className="gh-actions gh-pager" aria-label={text('pager')}>
      <span className="gh-quiet gh-number">{text('pager.range', { from, to, count: total })}</span>
      {(
        [
          ['«', text('pager.toFirst'), 1],
          ['‹', text('pager.previous'), page - 1],
          ['›', text('pager.next'), page + 1],
          ['»', text('pager.last'), last],
        ] as const
      ).map(([mark, label, to]) => (
        <Button
          key={label}
          kind="plain"
          label={label}
          isDisabled={to < 1 || to > last || to === page}
          onPress={() => onPage(to)}
        >
          {mark}
        </Button>
      ))}
    </nav>
  );
}

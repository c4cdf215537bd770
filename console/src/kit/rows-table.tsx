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
  /** Key of the column by which the rows are sorted; a leading `-` means descending. */
  readonly sort?: string;
  /** Sorts by another column; absent for a list that the reader cannot sort. */
  readonly onSort?: (sort: string) => void;
}

/**
 * Renders a table of rows in the given order, for lists that the server searches, sorts and pages. On small
 * screens rows become cards.
 */
export function RowsTable<Row>(props: RowsTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, sort, onSort } = props;
  return (
    <div className="gh-table">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
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
  const titled = columns.find(({ card }) => card === 'title') ?? columns[0];
  return (
    <tr>
      {columns.map((column) => (
        <td
          key={column.key}
          data-column={column.key}
          data-label={column.title}
          data-number={column.isNumber}
          data-card={column === titled ? 'title' : column.card}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});

interface HeadingProps {
  readonly column: Column<never>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function Heading({ column, sort, onSort }: HeadingProps): ReactNode {
  const { key, title, isNumber, sortBy } = column;
  if (!sortBy || !onSort)
    return (
      <th scope="col" data-column={key} data-number={isNumber}>
        {title}
      </th>
    );
  const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
  return (
    <th scope="col" aria-sort={order} data-column={key} data-number={isNumber}>
      <button
        type="button"
        className="gh-sort"
        onClick={() => onSort(order === 'ascending' ? `-${key}` : key)}
      >
        {title}
        <span aria-hidden="true" className="gh-sort-mark">
          {SORT_MARKS[order]}
        </span>
      </button>
    </th>
  );
}

const SORT_MARKS = { ascending: '▲', descending: '▼', none: '↕' } as const;

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

import { type ReactNode, useMemo } from 'react';
import '../style/parts.css';
import { textOf } from '../text/text.js';
import { SearchInput } from '@patternfly/react-core/dist/esm/components/SearchInput';
import { Empty } from './feedback.js';
import { HeadingCell, Pager, RowsTable, type RowsTableProps } from './rows-table.js';
import { type Column, pageOf, type TableView } from './table-rows.js';
import { useUrlState } from './url-state.js';

const text = textOf('kit');

export interface DataTableProps<Row> extends Omit<RowsTableProps<Row>, 'heading'> {
  /** Initial sort column; a leading `-` sorts descending. */
  readonly sort?: string;
  /** Additional filters beside the search. */
  readonly filters?: ReactNode;
  /** Shown if there are no rows at all. */
  readonly empty: ReactNode;
}

const PAGE_SIZE = 50;

/**
 * Renders a list with search, sorting and pages. Their state is in the URL (`?q=&sort=&page=`). On small
 * screens rows become cards.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { sort: preset = '', filters, empty, rows, ...table } = props;
  const { label, columns } = table;
  const [url, setUrl] = useUrlState({ q: '', sort: preset, page: '1' });
  const view: TableView = { search: url.q, sort: url.sort, page: Number(url.page) || 1, size: PAGE_SIZE };
  const { shown, found, page } = useMemo(() => pageOf(rows, columns, view), [rows, columns, url]);
  const heading = (column: Column<Row>) => (
    <Heading key={column.key} column={column} sort={url.sort} onSort={(sort) => setUrl({ sort })} />
  );
  if (rows.length === 0) return empty;
  return (
    <div className="gh-stack">
      <div className="gh-toolbar" role="search" aria-label={text('search.list', { list: label })}>
        <SearchInput
          aria-label={text('search.list', { list: label })}
          placeholder={text('search')}
          value={url.q}
          {...(url.q !== '' && { resultsCount: found })}
          onChange={(_event, q) => setUrl({ q, page: '1' })}
          onClear={() => setUrl({ q: '', page: '1' })}
        />
        {filters}
      </div>
      {found === 0 ? (
        <Empty title={text('noMatches')}>{text('noMatches.help', { count: rows.length })}</Empty>
      ) : (
        <RowsTable {...table} rows={shown} heading={heading} />
      )}
      <Pager total={found} size={PAGE_SIZE} page={page} onPage={(next) => setUrl({ page: String(next) })} />
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Renders the header of a column; sorts by the column if that is possible. */
function Heading<Row>({ column: { key, title, sortBy }, sort, onSort }: HeadingProps<Row>): ReactNode {
  const isUp = sort === key;
  const isDown = sort === `-${key}`;
  if (!sortBy) return <HeadingCell>{title}</HeadingCell>;
  return (
    <HeadingCell order={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className="gh-sort" onClick={() => onSort(isUp ? `-${key}` : key)}>
        {title}
        <span aria-hidden="true" className="gh-sort-mark">
          {isUp ? '▲' : isDown ? '▼' : '↕'}
        </span>
      </button>
    </HeadingCell>
  );
}

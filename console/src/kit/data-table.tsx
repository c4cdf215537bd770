import '../style/parts.css';
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Empty } from './feedback.js';
import { text } from './kit-text.js';
import { Pager, RowsTable, type RowsTableProps } from './rows-table.js';
import { SearchBox } from './search-box.js';
import { pageOf, type TableView } from './table-rows.js';
import { useUrlState } from './url-state.js';

interface DataTableProps<Row> extends Omit<RowsTableProps<Row>, 'onSort'> {
  /** Initial sort column; a leading `-` sorts descending. */
  readonly sort?: string;
  readonly isSearchedByServer?: boolean;
  /** Additional filters beside the search, also if no row is left. */
  readonly filters?: ReactNode;
  /** Renders actions on several rows. Receives all rows that match the search, on this page and on others. */
  readonly bulk?: ((found: readonly Row[]) => ReactNode) | undefined;
  /**
   * Given if there are more rows than those that are loaded: renders how to search all of them. Receives the words of
   * the search.
   */
  readonly beyond?: ((words: string) => ReactNode) | undefined;
  /** Shown if there are no rows at all. */
  readonly empty: ReactNode;
  /** Receives the rows of the current page, for data that is read for these rows alone. */
  readonly onShow?: (rows: readonly Row[]) => void;
}

const PAGE_SIZE = 50;

/**
 * Renders a list with search, sorting and pages. Their state is in the URL (`?q=&sort=&page=`). On small
 * screens rows become cards. Prints all rows that match.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const {
    sort: preset = '',
    isSearchedByServer,
    filters,
    bulk,
    beyond,
    empty,
    onShow,
    rows,
    ...table
  } = props;
  const { label, columns } = table;
  const [url, setUrl] = useUrlState({ q: '', sort: preset, page: '1' });
  const size = usePageSize(rows.length);
  const view: TableView = {
    // A list without a search ignores that of another list.
    search: isSearchedByServer ? '' : url.q,
    sort: url.sort,
    page: Number(url.page) || 1,
    size,
  };
  const { shown, found, page } = useMemo(() => pageOf(rows, columns, view), [rows, columns, url, size]);
  useEffect(() => onShow?.(shown), [onShow, shown]);
  const isSearched = url.q.trim() !== '';
  if (rows.length === 0) return <NoRows filters={filters}>{empty}</NoRows>;
  return (
    <div className="gh-stack">
      <div className="gh-toolbar" role="search" aria-label={text('search.list', { list: label })}>
        {!isSearchedByServer && (
          <SearchBox
            label={text('search.list', { list: label })}
            value={url.q}
            count={found.length}
            onChange={(q) => setUrl({ q, page: '1' })}
          />
        )}
        {filters}
        {found.length > 0 && bulk?.(found)}
      </div>
      {found.length === 0 ? (
        <Empty title={text(beyond ? 'noMatches.loaded' : 'noMatches')}>
          {text('noMatches.help', { count: rows.length })}
        </Empty>
      ) : (
        <RowsTable {...table} rows={shown} sort={url.sort} onSort={(sort) => setUrl({ sort })} />
      )}
      {isSearched && beyond?.(url.q.trim())}
      <Pager
        total={found.length}
        size={PAGE_SIZE}
        page={page}
        onPage={(next) => setUrl({ page: String(next) })}
      />
    </div>
  );
}

function NoRows({
  filters,
  children,
}: {
  readonly filters: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="gh-stack">
      <div className="gh-toolbar">{filters}</div>
      {children}
    </div>
  );
}

/** Returns the number of rows on a page of the list: all of them while the page is printed. */
function usePageSize(count: number): number {
  const isPrinting = useSyncExternalStore(subscribe, () => window.matchMedia('print').matches);
  return isPrinting ? Math.max(count, 1) : PAGE_SIZE;
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia('print');
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

import { type ReactNode, useMemo } from 'react';
import '@patternfly/react-styles/css/components/Table/table.css';
import '@patternfly/react-styles/css/components/Table/table-grid.css';
import '../style/parts.css';
import { Pagination } from '@patternfly/react-core/dist/esm/components/Pagination';
import { SearchInput } from '@patternfly/react-core/dist/esm/components/SearchInput';
import { Empty } from './feedback.js';
import { type Column, pageOf, type TableView } from './table-rows.js';
import { useUrlState } from './url-state.js';

export interface DataTableProps<Row> {
  /** Names the rows: "Adapters". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Column that they are sorted by at first; `-` before it sorts downwards. */
  readonly sort?: string;
  /** More filters, beside the search. */
  readonly filters?: ReactNode;
  /** Many columns: rows are cards on middle-sized screens already. */
  readonly isWide?: boolean;
  /** Stands there when there are no rows at all. */
  readonly empty: ReactNode;
}

const PAGE_SIZE = 50;

/** A list: searched, sorted and paged, all of which stands in the address (`?q=&sort=&page=`). On small screens rows become cards. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, sort: preset = '', filters, isWide = false, empty } = props;
  const [url, setUrl] = useUrlState({ q: '', sort: preset, page: '1' });
  const view: TableView = { search: url.q, sort: url.sort, page: Number(url.page) || 1, size: PAGE_SIZE };
  const { shown, found, page } = useMemo(() => pageOf(rows, columns, view), [rows, columns, url]);
  if (rows.length === 0) return empty;
  return (
    <div className="gh-stack">
      <div className="gh-toolbar" role="search" aria-label={`Search ${label}`}>
        <SearchInput
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={url.q}
          {...(url.q !== '' && { resultsCount: found })}
          onChange={(_event, q) => setUrl({ q, page: '1' })}
          onClear={() => setUrl({ q: '', page: '1' })}
        />
        {filters}
      </div>
      {found === 0 ? (
        <Empty title="Nothing is like that">None of {rows.length} matches the search.</Empty>
      ) : (
        <table
          className={`pf-v6-c-table ${isWide ? 'pf-m-grid-lg' : 'pf-m-grid-md'} pf-m-compact`}
          aria-label={label}
        >
          <thead className="pf-v6-c-table__thead">
            <tr className="pf-v6-c-table__tr">
              {columns.map((column) => (
                <Heading
                  key={column.key}
                  column={column}
                  sort={url.sort}
                  onSort={(sort) => setUrl({ sort })}
                />
              ))}
            </tr>
          </thead>
          <tbody className="pf-v6-c-table__tbody">
            {shown.map((row) => (
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
      )}
      {found > PAGE_SIZE && (
        <Pagination
          itemCount={found}
          perPage={PAGE_SIZE}
          perPageOptions={[]}
          page={page}
          variant="bottom"
          onSetPage={(_event, next) => setUrl({ page: String(next) })}
        />
      )}
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function Heading<Row>({ column: { key, title, sortBy }, sort, onSort }: HeadingProps<Row>): ReactNode {
  const isUp = sort === key;
  const isDown = sort === `-${key}`;
  if (!sortBy)
    return (
      <th className="pf-v6-c-table__th" scope="col">
        {title}
      </th>
    );
  const order = isUp ? 'ascending' : isDown ? 'descending' : 'none';
  return (
    <th className="pf-v6-c-table__th" scope="col" aria-sort={order}>
      <button type="button" className="gh-sort" onClick={() => onSort(isUp ? `-${key}` : key)}>
        {title}
        <span aria-hidden="true" className="gh-sort-mark">
          {isUp ? '▲' : isDown ? '▼' : '↕'}
        </span>
      </button>
    </th>
  );
}

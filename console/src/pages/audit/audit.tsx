import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { DownloadButton } from '../../kit/download.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { AuditHistogram } from './audit-times.js';
import { type AuditPage, type AuditRecord, csvOf, jsonLinesOf } from './record.js';
import { Records } from './records.js';
import { type AuditSearch, auditPath, NO_FILTERS } from './search.js';
import { SearchForm } from './search-form.js';

const text = textOf('audit');

/**
 * Renders the search in the audit trail. The server records each search, so a search only runs on request.
 */
export function Audit(): ReactNode {
  const [search, setUrl] = useUrlState<AuditSearch>(NO_FILTERS);
  const path = auditPath(search);
  const found = useRead<AuditPage>(path, { isCached: true });
  const records = found.data?.results ?? [];
  const set = (changes: Partial<AuditSearch>) => setUrl({ page: '', before: '', ...changes });
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={
        <>
          <ExportButtons records={records} />
          <RawLinks path={path} />
        </>
      }
    >
      <SearchForm
        key={path}
        search={search}
        isBusy={found.isFetching}
        onSearch={(next) => {
          if (auditPath(next) === path) void found.refetch();
          else set(next);
        }}
      />
      <Read query={found} what={text('what')}>
        {(page) => <SearchResults page={page} search={search} onSearch={set} />}
      </Read>
    </Page>
  );
}

interface SearchResultsProps {
  readonly page: AuditPage;
  readonly search: AuditSearch;
  readonly onSearch: (changes: Partial<AuditSearch>) => void;
}

function SearchResults({
  page: { results, next, partial },
  search,
  onSearch,
}: SearchResultsProps): ReactNode {
  const older = next !== undefined && (
    <Button onPress={() => onSearch({ before: next })}>
      {partial === true ? text('continue') : text('older')}
    </Button>
  );
  const newest = search.before !== '' && (
    <Button onPress={() => onSearch({ before: '' })}>{text('newest')}</Button>
  );
  return (
    <>
      {partial === true && (
        <Notice kind="info" title={text('partial')}>
          {text('partialWhy')}
        </Notice>
      )}
      {results.length === 0 ? (
        <Empty
          title={text('none')}
          actions={
            <>
              {older}
              <SearchesButton search={search} onSearch={onSearch} />
            </>
          }
        >
          {text('noneWhy')}
        </Empty>
      ) : (
        <>
          <AuditHistogram
            records={results}
            onPick={({ from, to }) =>
              onSearch({ since: new Date(from).toISOString(), until: new Date(to).toISOString() })
            }
          />
          <Records records={results} filters={<SearchesButton search={search} onSearch={onSearch} />} />
        </>
      )}
      <div className="gh-actions">
        {newest}
        {results.length > 0 && older}
      </div>
    </>
  );
}

function ExportButtons({ records }: { readonly records: readonly AuditRecord[] }): ReactNode {
  const isDisabled = records.length === 0;
  return (
    <>
      <DownloadButton
        isDisabled={isDisabled}
        file={() => ({ name: 'audit.csv', type: 'text/csv', text: csvOf(records) })}
      >
        {text('exportCsv')}
      </DownloadButton>
      <DownloadButton
        isDisabled={isDisabled}
        file={() => ({ name: 'audit.jsonl', type: 'application/jsonl', text: jsonLinesOf(records) })}
      >
        {text('exportJsonLines')}
      </DownloadButton>
    </>
  );
}

/** Renders a button that shows or hides the searches of the audit trail, which the console itself adds. */
function SearchesButton({ search, onSearch }: Pick<SearchResultsProps, 'search' | 'onSearch'>): ReactNode {
  const isShown = search.searches !== '';
  return (
    <Button kind="link" onPress={() => onSearch({ searches: isShown ? '' : 'show' })}>
      {isShown ? text('hideSearches') : text('showSearches')}
    </Button>
  );
}

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { Filter } from '../../kit/choices.js';
import { DownloadLink } from '../../kit/download.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { useTimeSpan } from '../../kit/time-span.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { AuditStrip } from './audit-strip.js';
import type { AuditReply } from './record.js';
import { Records } from './records.js';
import { SearchForm, useSearchDraft } from './search-form.js';
import { auditPath, type AuditSearch, exportPath, isFiltered, NO_FILTERS, READS } from './search.js';
import { BrokenChain, useVerification, VerificationLine } from './verification.js';
import './audit.css';

const text = textOf('audit');

const READS_LABELS = { '': 'readsOfTrail', hide: 'readsHidden', show: 'readsShown' } as const;

/**
 * Renders the search in the audit trail. The server records each search, so a search only runs on request. The time that
 * is selected on the strip limits the records and the export, as on the other pages.
 */
export function Audit(): ReactNode {
  const { search, set, time } = useAuditSearch();
  const path = auditPath(search);
  // The records before stay until those of the next search arrive, so that the controls keep their place and the focus.
  const found = useRead<AuditReply>(path, { isCached: true, isSimilar: () => true });
  const [openedAt] = useState(Date.now);
  const verification = useVerification();
  const wantsFocus = useRef(false);
  const draft = useSearchDraft(search);
  const form = (
    <SearchForm
      draft={draft}
      search={search}
      isBusy={found.isFetching}
      onSearch={(next) => {
        wantsFocus.current = true;
        if (auditPath(next) === path) void found.refetch();
        else set(next);
      }}
    />
  );
  return (
    <Page
      title={text('title')}
      lead={<VerificationLine {...verification} />}
      actions={<ExportLinks search={search} />}
      source={{ path }}
    >
      {verification.failure}
      <BrokenChain state={verification.state} />
      <div className="gh-audit">
        <AuditStrip
          time={time}
          page={found.data}
          isLaterPage={search.before !== ''}
          now={found.dataUpdatedAt || openedAt}
        />
        {form}
        <Read query={found} what={text('what')}>
          {(page) => (
            <div className="gh-stack" aria-busy={found.isPlaceholderData}>
              <SearchResults page={page} search={search} onSearch={set} wantsFocus={wantsFocus} />
            </div>
          )}
        </Read>
      </div>
    </Page>
  );
}

/** Returns the search of the URL, its change, and the time that the strip selects. */
function useAuditSearch() {
  const [filters, setFilters] = useUrlState<AuditSearch>(NO_FILTERS);
  const time = useTimeSpan();
  const search: AuditSearch = { ...filters, ...time.bounds };
  const set = ({ from = search.from, to = search.to, ...changes }: Partial<AuditSearch>): void => {
    if (from !== search.from || to !== search.to) time.choose({ from, to });
    setFilters({ page: '', before: '', ...changes });
  };
  // The pages of the records belong to the time before.
  const fromFirstPage =
    <Args extends readonly unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      change(...args);
      setFilters({ page: '', before: '' });
    };
  const stripTime = {
    ...time,
    show: fromFirstPage(time.show),
    select: fromFirstPage(time.select),
    reset: fromFirstPage(time.reset),
  };
  return { search, set, time: stripTime };
}

interface SearchResultsProps {
  readonly page: AuditReply;
  readonly search: AuditSearch;
  readonly onSearch: (changes: Partial<AuditSearch>) => void;
  /** True after a search by the form: the number of records then gets the focus. */
  readonly wantsFocus: { current: boolean };
}

function SearchResults({
  page: { results, next, partial, changes },
  search,
  onSearch,
  wantsFocus,
}: SearchResultsProps): ReactNode {
  const count = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (wantsFocus.current) count.current?.focus();
    wantsFocus.current = false;
  }, [results, wantsFocus]);
  const filters = (
    <>
      <Filter
        label={text('shownRecords')}
        value={search.reads}
        onChange={(reads) => onSearch({ reads })}
        options={READS.map((value) => ({ value, label: text(READS_LABELS[value]) }))}
      />
      <span ref={count} className="gh-quiet" tabIndex={-1}>
        {text('found', { count: results.length })}
      </span>
    </>
  );
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
              {filters}
            </>
          }
        >
          {text(isFiltered(search) ? 'noneWhy' : 'noneYet')}
        </Empty>
      ) : (
        <Records records={results} changes={changes} filters={filters} />
      )}
      <div className="gh-actions">
        {newest}
        {results.length > 0 && older}
      </div>
    </>
  );
}

/** Renders links to exports of all records that the search matches, not only of those on the page. */
function ExportLinks({ search }: { readonly search: AuditSearch }): ReactNode {
  return (
    <>
      <DownloadLink href={exportPath(search, 'csv')}>{text('exportCsv')}</DownloadLink>
      <DownloadLink href={exportPath(search, 'jsonl')}>{text('exportJsonLines')}</DownloadLink>
    </>
  );
}

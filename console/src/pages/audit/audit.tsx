import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { DownloadButton } from '../../kit/download.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/raw-links.js';
import { useUrlState } from '../../kit/url-state.js';
import { AuditTimes } from './audit-times.js';
import { csvOf, jsonLinesOf } from './export.js';
import type { AuditPage, AuditRecord } from './record.js';
import { Records } from './records.js';
import { type AuditSearch, auditPath, EVERYTHING } from './search.js';
import { SearchForm } from './search-form.js';

/** Search in the audit trail. A search is recorded in the trail itself, so it only runs on request. */
export function Audit(): ReactNode {
  const [search, setUrl] = useUrlState<AuditSearch>(EVERYTHING);
  const path = auditPath(search);
  const found = useRead<AuditPage>(path, { isKept: true });
  const records = found.data?.results ?? [];
  const set = (changes: Partial<AuditSearch>) => setUrl({ page: '', before: '', ...changes });
  return (
    <Page
      title="Audit"
      lead="Calls that changed data or sent a request to another system. Searches are recorded too."
      actions={
        <>
          <Export records={records} />
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
      <Read query={found} what="the records">
        {(page) => <Found page={page} search={search} onSearch={set} />}
      </Read>
    </Page>
  );
}

interface FoundProps {
  readonly page: AuditPage;
  readonly search: AuditSearch;
  readonly onSearch: (changes: Partial<AuditSearch>) => void;
}

function Found({ page: { results, next, partial }, search, onSearch }: FoundProps): ReactNode {
  const older = next !== undefined && (
    <Button onPress={() => onSearch({ before: next })}>
      {partial === true ? 'Continue search' : 'Older records'}
    </Button>
  );
  const newest = search.before !== '' && (
    <Button onPress={() => onSearch({ before: '' })}>Newest records</Button>
  );
  return (
    <>
      {partial === true && (
        <Notice kind="info" title="The search is not complete">
          One search reads a part of the audit trail. Continue the search to read older records.
        </Notice>
      )}
      {results.length === 0 ? (
        <Empty title="No records" actions={older}>
          No record matches the search. Names must match exactly; the target may match in part. Change or
          clear the filters.
        </Empty>
      ) : (
        <>
          <AuditTimes
            records={results}
            onPick={({ from, to }) =>
              onSearch({ since: new Date(from).toISOString(), until: new Date(to).toISOString() })
            }
          />
          <Records records={results} />
        </>
      )}
      <div className="gh-actions">
        {newest}
        {results.length > 0 && older}
      </div>
    </>
  );
}

function Export({ records }: { readonly records: readonly AuditRecord[] }): ReactNode {
  const isDisabled = records.length === 0;
  return (
    <>
      <DownloadButton
        isDisabled={isDisabled}
        file={() => ({ name: 'audit.csv', type: 'text/csv', text: csvOf(records) })}
      >
        Export CSV
      </DownloadButton>
      <DownloadButton
        isDisabled={isDisabled}
        file={() => ({ name: 'audit.jsonl', type: 'application/jsonl', text: jsonLinesOf(records) })}
      >
        Export JSONL
      </DownloadButton>
    </>
  );
}

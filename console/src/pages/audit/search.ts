/** Criteria of an audit search; empty values do not filter. */
export interface AuditSearch {
  readonly since: string;
  readonly until: string;
  readonly subject: string;
  readonly issuer: string;
  readonly operation: string;
  readonly target: string;
  readonly status: string;
  readonly requestId: string;
  /** `show` includes the searches of the console; empty leaves them out. */
  readonly searches: string;
  /** Start of the page: `next` of the previous page. */
  readonly before: string;
  readonly [name: string]: string;
}

/** A search without criteria: the newest records. */
export const NO_FILTERS: AuditSearch = {
  since: '',
  until: '',
  subject: '',
  issuer: '',
  operation: '',
  target: '',
  status: '',
  requestId: '',
  searches: '',
  before: '',
};

/** Maximum number of records in one reply: enough for a chart, and quick to load. */
export const PAGE_SIZE = 500;

/** Operations that only read the trail. Each look at the audit page or at a request adds a record of its own. */
const SEARCH_OPERATIONS = ['audit.getAudit', 'console.getRequest'] as const;

/** Returns the path of a search. A search for one operation or one request leaves nothing out. */
export function auditPath(search: Readonly<Record<string, string>>, limit = PAGE_SIZE): string {
  const wanted = Object.keys(NO_FILTERS).flatMap((name): [string, string][] => {
    const value = search[name]?.trim() ?? '';
    return value === '' || name === 'searches' ? [] : [[name, value]];
  });
  const isExact = ['searches', 'operation', 'requestId'].some((name) => (search[name]?.trim() ?? '') !== '');
  if (!isExact) wanted.push(['excludeOperations', SEARCH_OPERATIONS.join(',')]);
  return `/audit?${new URLSearchParams([...wanted, ['limit', String(limit)]]).toString()}`;
}

/** Returns the page's URL with an additional filter, starting at the newest record. */
export function auditLink(filter: Partial<AuditSearch>): string {
  const wanted = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return `/audit?${new URLSearchParams(wanted).toString()}`;
}

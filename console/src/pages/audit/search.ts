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
  before: '',
};

/** Maximum number of records in one reply: enough for a chart, and quick to load. */
export const PAGE_SIZE = 500;

/** Returns the path of a search. */
export function auditPath(search: Readonly<Record<string, string>>, limit = PAGE_SIZE): string {
  const wanted = Object.keys(NO_FILTERS).flatMap((name): [string, string][] => {
    const value = search[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return `/audit?${new URLSearchParams([...wanted, ['limit', String(limit)]]).toString()}`;
}

/** Returns the page's URL with an additional filter, starting at the newest record. */
export function auditLink(filter: Partial<AuditSearch>): string {
  const wanted = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return `/audit?${new URLSearchParams(wanted).toString()}`;
}

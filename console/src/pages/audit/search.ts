/** What the trail is searched by; empty: not by that. */
export interface AuditSearch {
  readonly since: string;
  readonly until: string;
  readonly subject: string;
  readonly operation: string;
  readonly target: string;
  readonly status: string;
  readonly requestId: string;
  /** Where the page begins: `next` of the page before. */
  readonly before: string;
  readonly [name: string]: string;
}

/** A search by nothing: the newest records. */
export const EVERYTHING: AuditSearch = {
  since: '',
  until: '',
  subject: '',
  operation: '',
  target: '',
  status: '',
  requestId: '',
  before: '',
};

/** Records of one answer: enough for a picture, little enough to come at once. */
export const PAGE_SIZE = 500;

/** Path of the search. */
export function auditPath(search: Readonly<Record<string, string>>, limit = PAGE_SIZE): string {
  const wanted = Object.keys(EVERYTHING).flatMap((name): [string, string][] => {
    const value = search[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return `/audit?${new URLSearchParams([...wanted, ['limit', String(limit)]]).toString()}`;
}

/** Address of the page with one more filter, from the newest record on. */
export function auditLink(filter: Partial<AuditSearch>): string {
  const wanted = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return `/audit?${new URLSearchParams(wanted).toString()}`;
}

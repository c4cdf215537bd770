/** Criteria of an audit search, as in the address; empty values do not filter. */
export interface AuditSearch {
  /** Start and end (exclusive) of the time that all pages show, as in RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly issuer: string;
  readonly operation: string;
  readonly target: string;
  readonly status: string;
  readonly requestId: string;
  /** Text in any member, or the status. */
  readonly search: string;
  /** Which calls that only read are shown; see {@link READS}. */
  readonly reads: string;
  /** Start of the page: `next` of the previous page. */
  readonly before: string;
  readonly [name: string]: string;
}

/** A search without criteria: the newest records. */
export const NO_FILTERS: AuditSearch = {
  from: '',
  to: '',
  subject: '',
  issuer: '',
  operation: '',
  target: '',
  status: '',
  requestId: '',
  search: '',
  reads: '',
  before: '',
};

/** Returns true if the search leaves out records by more than the choice of shown reads. */
export function isFiltered(search: AuditSearch): boolean {
  return Object.keys(NO_FILTERS).some((name) => name !== 'reads' && search[name] !== '');
}

/** Maximum number of records in one reply: enough for a chart, and quick to load. */
const PAGE_SIZE = 500;

/**
 * Choices of `reads`. Empty leaves out the views of the audit trail itself, because each look at the page adds one; `hide`
 * leaves out every call that only reads; `show` leaves nothing out.
 */
export const READS = ['', 'hide', 'show'] as const;

/** Operations that read the audit trail. */
const TRAIL_READS = [
  'audit.getAudit',
  'audit.exportAuditCsv',
  'audit.exportAuditJsonLines',
  'console.getRequest',
] as const;

/** All audited operations that change nothing, neither here nor at an orchestrator. */
export const AUDITED_READS: readonly string[] = [
  ...TRAIL_READS,
  'adapters.testAdapterConnection',
  'adapters.testSavedAdapterConnection',
  'console.getVaultPaths',
  'console.testAdapter',
  'console.testSecret',
  'json-forms.yangToSchema',
  'orchestrator-manager.restQuery',
  'tasks.getTaskChoices',
];

/** Returns the path of a search. A search for a text, an operation or a request leaves nothing out. */
export function auditPath(search: Readonly<Record<string, string>>, limit = PAGE_SIZE): string {
  return `/audit?${new URLSearchParams([...criteriaOf(search), ['limit', String(limit)], ['changes', 'true']]).toString()}`;
}

/** Returns the path of an export of all records that a search matches. */
export function exportPath(search: Readonly<Record<string, string>>, format: 'csv' | 'jsonl'): string {
  const criteria = criteriaOf({ ...search, before: '' });
  const query = new URLSearchParams([...criteria]).toString();
  return `/audit/export.${format}${query === '' ? '' : `?${query}`}`;
}

/** Names of criteria in the query of the API, if they differ from those in the address. */
const PARAMETERS: Readonly<Record<string, string>> = { from: 'since', to: 'until' };

/** Id that gatehouse gives to a request. */
export const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function criteriaOf(search: Readonly<Record<string, string>>): readonly [string, string][] {
  const valueOf = (name: string): string => search[name]?.trim() ?? '';
  // The server finds an id faster than a text.
  const parameterOf = (name: string): string =>
    name === 'search' && REQUEST_ID.test(valueOf(name)) ? 'requestId' : (PARAMETERS[name] ?? name);
  const wanted = Object.keys(NO_FILTERS).flatMap((name): [string, string][] =>
    valueOf(name) === '' || name === 'reads' ? [] : [[parameterOf(name), valueOf(name)]],
  );
  const leavesNothingOut =
    valueOf('reads') === 'show' || ['operation', 'requestId', 'search'].some((name) => valueOf(name) !== '');
  const excluded = valueOf('reads') === 'hide' ? AUDITED_READS : TRAIL_READS;
  return leavesNothingOut ? wanted : [...wanted, ['excludeOperations', excluded.join(',')]];
}

/** Path of the page, below /ui. */
export const AUDIT_PATH = '/audit';

/** Returns the page's URL with an additional filter, starting at the newest record. */
export function auditLink(filter: Partial<AuditSearch>): string {
  const wanted = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return `${AUDIT_PATH}?${new URLSearchParams(wanted).toString()}`;
}

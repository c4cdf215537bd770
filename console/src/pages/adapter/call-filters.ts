/** Filters of the calls of an adapter, as in the address; empty values do not filter. */
export interface CallFilters {
  /** A time as in RFC 3339. */
  readonly from: string;
  /** Exclusive, in the same form. */
  readonly to: string;
  /** A class such as `5xx`, or a status. */
  readonly status: string;
  readonly caller: string;
  readonly [name: string]: string;
}

/** No filter. */
export const NO_CALL_FILTERS: CallFilters = { from: '', to: '', status: '', caller: '' };

/** Classes of statuses that the page offers; the empty text means all. */
export const STATUS_CLASSES = ['', '2xx', '4xx', '5xx'] as const;

/** Returns the filters as parameters of `GET /console/calls`; invalid times are left out. */
export function queryOf({ from, to, status, caller }: CallFilters): {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly status: string;
  readonly caller: string;
} {
  return { from: timeOf(from), to: timeOf(to), status, caller };
}

function timeOf(text: string): string | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

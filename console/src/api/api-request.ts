/** A request to the server that the page came from. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, for example `/adapters/nso1`; build it with {@link pathOf}. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, for JSON whose numbers must keep their digits. */
  readonly json?: string;
  /** The state that is changed, as its `etag` names it. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

/** Joins a path of names, and a query without what is undefined or empty: `pathOf(['adapters', 'nso 1'], { start: 2 })`. */
export function pathOf(
  names: readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = `/${names.map(encodeURIComponent).join('/')}`;
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(
    wanted.map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

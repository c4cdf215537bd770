/** A request to the server that served the page. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, for example `/adapters/nso1`; build it with {@link pathOf}. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON text that is sent unchanged, so that its numbers keep their digits. */
  readonly json?: string;
  /** The `etag` of the state that the request changes. */
  readonly ifMatch?: string;
  /** `*` for a request that must not replace anything. */
  readonly ifNoneMatch?: '*';
  readonly signal?: AbortSignal;
}

/**
 * Joins path segments and adds a query; undefined and empty parameters are left out:
 * `pathOf(['adapters', 'nso 1'], { start: 2 })`.
 */
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

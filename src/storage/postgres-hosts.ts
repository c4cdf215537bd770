/** The servers of one database, of which one takes writes. */
export interface PostgresHosts {
  /** A URL for each server, in the order in which they were written. */
  readonly urls: readonly string[];
  /** True when only a server that takes writes will do: there are several, or `target_session_attrs` says so. */
  readonly mustWrite: boolean;
}

/**
 * Takes the URL of a database apart that may name several servers, as `postgres://user@one:5432,two:5432/name` (PostgreSQL's
 * manual, section 34.1.1.3), which its driver does not read. Throws an Error that does not repeat the URL.
 */
export function hostsOf(url: string): PostgresHosts {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const wanted = new URLSearchParams(/\?([^#]*)/.exec(after)?.[1]).get('target_session_attrs');
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary')
    throw new Error('target_session_attrs in storage.url must be "read-write": gatehouse writes.');
  const urls = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url];
  return { urls, mustWrite: urls.length > 1 || wanted !== null };
}

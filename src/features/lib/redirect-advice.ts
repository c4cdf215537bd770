/** A redirect: the path of the call, and the header Location as the caller may see it. */
export interface Redirect {
  readonly path: string;
  readonly location: string | readonly string[] | undefined;
}

/**
 * Returns what the caller of a redirected call can do. A location below the base URL of the adapter is a path. gatehouse follows
 * no redirect, because it would send a change or credentials to another place.
 */
export function redirectAdvice(path: string, location: string): string {
  const [from, to] = [withoutQuery(path), withoutQuery(location)];
  if (to === `${from}/`) return 'Write a slash at the end of the path, before the query.';
  if (from === `${to}/`) return 'Leave out the slash at the end of the path.';
  if (location.startsWith('/') && !location.startsWith('//'))
    return 'Use the path in "location" of "upstream", to which the orchestrator redirects.';
  return 'Ask the operator to correct baseUrl of the adapter, because the orchestrator redirects to the address in "location" of "upstream".';
}

function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/s, '');
}

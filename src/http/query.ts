/**
 * Returns the query of a request target, without the parameter `token`. That parameter authenticates the
 * caller (wire section 1.2), so no other code may see it.
 */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  if (at < 0) return new URLSearchParams();
  const query = new URLSearchParams(target.slice(at + 1));
  query.delete('token');
  return query;
}

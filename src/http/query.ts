/** The query of a request target. The parameter `token` shows who calls (wire section 1.2), and is nobody else's business. */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  if (at < 0) return new URLSearchParams();
  const query = new URLSearchParams(target.slice(at + 1));
  query.delete('token');
  return query;
}

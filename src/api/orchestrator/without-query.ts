/** A path for the audit trail: a query may hold a token. */
export function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}

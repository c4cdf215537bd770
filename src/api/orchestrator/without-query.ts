/** Returns the path without query and fragment for the audit trail, because a query may contain a token. */
export function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}

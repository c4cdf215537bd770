/** Returns how to dump the PostgreSQL database at a URL, without its password. */
export function dumpAdvice(url: string): string {
  return `the PostgreSQL database is not in the backup. Dump it right after, while the server may run:
  pg_dump --format=custom --no-owner --file=gatehouse.dump '${withoutPassword(url)}'
`;
}

/** Returns how to restore the PostgreSQL database at a URL, without its password. */
export function restoreAdvice(url: string): string {
  return `the PostgreSQL database is not in the backup. Restore its dump while no server runs, then run "gatehouse audit verify":
  pg_restore --clean --if-exists --no-owner --exit-on-error --dbname='${withoutPassword(url)}' gatehouse.dump
`;
}

/** Removes the password from a URL, which may name several hosts. The programs of PostgreSQL ask for it, or read PGPASSWORD. */
function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^:@/]*):[^/?#]*@/, '$1@')
    .replaceAll(/([?&])(?:ssl)?password=[^&]*&?/g, '$1')
    .replaceAll("'", '%27')
    .replace(/[?&]$/, '');
}

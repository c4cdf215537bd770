import type { BoundOperation } from '../core/operation.js';

/** One operation at one of its paths. */
export interface Route {
  /** With `:name` for parameters. */
  readonly path: string;
  readonly operation: BoundOperation;
}

/**
 * Every operation at every path, literal segments before parameters, so that `/forms/import` is found before `/forms/:id`.
 * Throws when two operations claim the same method and path, which is a bug of the rows.
 */
export function routesOf(operations: readonly BoundOperation[]): readonly Route[] {
  const routes = operations.flatMap((operation) => operation.paths.map((path) => ({ path, operation })));
  const claims = new Map<string, string>();
  for (const { path, operation } of routes) {
    const claim = `${operation.row.method} ${path.replaceAll(/:[^/]+/g, ':name')}`;
    const first = claims.get(claim);
    if (first !== undefined) throw new Error(`${first} and ${operation.name} both answer ${claim}`);
    claims.set(claim, operation.name);
  }
  return routes.sort((one, other) => compareText(sortKey(one.path), sortKey(other.path)));
}

/** Methods that a path answers, as the Allow header lists them (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(({ operation }) => operation.row.method);
  const isRead = routes.some(({ operation: { row } }) => row.method === 'GET' && !row.audited);
  const all = isRead ? [...methods, 'HEAD'] : methods;
  return [...new Set(all)].sort(compareText).join(', ');
}

/** A parameter sorts behind every literal segment in its place. */
function sortKey(path: string): string {
  return path.replaceAll(/:[^/]+/g, '\u{10ffff}');
}

function compareText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { DescribedOperation } from '../domain/operation.js';
import type { Principal } from '../domain/principal.js';
import { Problem } from '../domain/problem.js';
import type { Visit } from './visit.js';

export interface AllowDeps {
  /** Who calls, by the request's headers. Throws `unauthorized`. */
  readonly authenticate: (headers: IncomingHttpHeaders) => Principal | Promise<Principal>;
  /** Roles that may call the operation now, after the operator's changes. */
  readonly rolesOf: (operation: DescribedOperation) => readonly string[] | 'public';
}

/**
 * The first rung of every door: notes in the visit who calls. Throws `unauthorized`, or `forbidden` for a caller without
 * a role that the operation asks for.
 */
export async function allow(deps: AllowDeps, operation: DescribedOperation, visit: Visit): Promise<void> {
  const roles = deps.rolesOf(operation);
  const principal = await identify(deps, roles, visit.req);
  if (principal) visit.principal = principal;
  requireRole(operation.name, roles, principal);
}

/**
 * Tells who calls, from one Authorization header; `undefined` for everyone when the roles are `public`.
 * Throws `unauthorized` with the same words whatever the reason, which is its `cause`.
 */
export async function identify(
  { authenticate }: AllowDeps,
  roles: readonly string[] | 'public',
  req: IncomingMessage,
): Promise<Principal | undefined> {
  if (roles === 'public') return undefined;
  try {
    // Node keeps the first of several and drops the others in silence.
    if (countOf('authorization', req) > 1) throw unauthorized(new Error('several authorization headers'));
    return await authenticate(req.headers);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unauthorized') throw error;
    throw unauthorized(error.extras.cause ?? error);
  }
}

/** Throws `forbidden`, naming the roles of which one is needed. */
export function requireRole(
  operation: string,
  roles: readonly string[] | 'public',
  principal: Principal | undefined,
): void {
  if (roles === 'public' || principal?.roles.some((role) => roles.includes(role))) return;
  throw new Problem(
    'forbidden',
    `${operation} needs one of these roles: ${roles.join(', ') || '(none may)'}.`,
  );
}

/** How often a header came. `name` is in lower case. */
export function countOf(name: string, { rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

function unauthorized(cause: unknown): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

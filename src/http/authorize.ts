import type { IncomingMessage } from 'node:http';
import type { RequestHead } from '../core/login.js';
import type { DescribedOperation } from '../core/operation.js';
import { type AllowedRoles, admits, type Principal } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import { callerOrigin } from './caller-origin.js';
import type { RequestContext } from './request-context.js';

export interface AllowDeps {
  /** Who calls, by the request's head. Throws `unauthorized`, or what else stands in the way. */
  readonly authenticate: (head: RequestHead) => Principal | Promise<Principal>;
  /** Roles that may call the operation now, after the operator's changes. */
  readonly rolesOf: (operation: DescribedOperation) => AllowedRoles;
  /** False while operators keep the application of this name stopped. */
  readonly isRunning?: (component: string) => boolean;
}

/**
 * The first rung of every door: notes in the visit who calls. Throws `unauthorized`, or `forbidden` for a caller without
 * a role that the operation asks for, or `application_stopped`.
 */
export async function allow(
  deps: AllowDeps,
  operation: DescribedOperation,
  context: RequestContext,
): Promise<void> {
  const roles = deps.rolesOf(operation);
  const head = headOf(context.req, operation.row.changes === true);
  const principal = roles === 'public' ? undefined : await identify(deps, head, context.req);
  if (principal) context.principal = principal;
  requireRole(operation.name, roles, principal);
  const { component } = operation;
  if (component !== undefined && deps.isRunning?.(component) === false)
    throw new Problem('application_stopped', `the application ${component} is stopped`);
}

/**
 * Tells who calls, from one Authorization header at most. Throws `unauthorized` with the same words whatever the reason,
 * which is its `cause`.
 */
async function identify(
  { authenticate }: AllowDeps,
  head: RequestHead,
  req: IncomingMessage,
): Promise<Principal> {
  try {
    // Node keeps the first of several and drops the others in silence.
    if (countOf('authorization', req) > 1) throw unauthorized(new Error('several authorization headers'));
    return await authenticate(head);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unauthorized') throw error;
    throw unauthorized(error.extras.cause ?? error);
  }
}

/** Throws `forbidden`, naming the roles of which one is needed. */
function requireRole(operation: string, roles: AllowedRoles, principal: Principal | undefined): void {
  if (admits(roles, principal)) return;
  const named = typeof roles === 'string' ? [] : roles;
  throw new Problem(
    'forbidden',
    `${operation} needs one of these roles: ${named.join(', ') || '(none may)'}.`,
  );
}

/** What a request shows of its sender; `changes` where its method alone does not say that it changes something. */
export function headOf(req: IncomingMessage, changes = false): RequestHead {
  return {
    changes,
    header: (name) => headerOf(req, name),
    method: req.method ?? '',
    target: req.url ?? '',
    address: callerOrigin(req).address,
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** How often a header came. `name` is in lower case. */
export function countOf(name: string, { rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at] ?? '';
    if (written.length === name.length && written.toLowerCase() === name) count += 1;
  }
  return count;
}

function unauthorized(cause: unknown): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

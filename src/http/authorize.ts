import type { IncomingMessage } from 'node:http';
import { CERTIFICATE_ISSUER } from '../core/certificate.js';
import type { RequestHead } from '../core/login.js';
import type { DescribedOperation } from '../core/operation.js';
import { type AllowedRoles, admits, type Principal } from '../core/principal.js';
import { Problem, type ProblemHeaders } from '../core/problem.js';
import { clientCertificateOf } from './caller-origin.js';
import { markKnownCaller, requireUnreservedPlace } from './connection-places.js';
import type { RequestContext } from './request-context.js';

export interface AllowDeps {
  /**
   * Returns the caller for the request's head. Throws `unauthorized`, or another Problem that prevents
   * authentication.
   */
  readonly authenticate: (head: RequestHead) => Principal | Promise<Principal>;
  /** Returns the roles that may currently call the operation, including the operator's changes. */
  readonly rolesOf: (operation: DescribedOperation) => AllowedRoles;
  /** Returns false while the operator has stopped the application with this name. */
  readonly isRunning?: (component: string) => boolean;
}

/**
 * Authorizes the request and stores its caller in the context, unless the context has a caller already; the first step of
 * every handler. Throws `unauthorized`, `forbidden` for a caller without a required role, `application_stopped`, or
 * `overloaded` if only callers with a token may still send bodies.
 */
export function authorize(
  deps: AllowDeps,
  operation: DescribedOperation,
  context: RequestContext,
): void | Promise<void> {
  if (deps.rolesOf(operation) === 'public')
    return admitLater(deps, operation, { context, caller: optionalCaller(deps, operation, context) });
  const principal = callerOf(deps, operation, context);
  if (principal instanceof Promise) return admitLater(deps, operation, { context, caller: principal });
  admitCaller(deps, operation, { context, principal });
}

/** A response that continues. */
interface RunningResponse {
  readonly context: RequestContext;
  /** Throws the Problem of a caller whom more than the roles refuse; absent: the roles decide alone. */
  readonly requireAccess?: ((principal: Principal | undefined) => void) | undefined;
}

/**
 * Authorizes the caller of a response that continues once more, with the credentials of the request and the current
 * configuration. Throws what {@link authorize} throws, and what `requireAccess` throws.
 */
export function authorizeAgain(
  deps: AllowDeps,
  operation: DescribedOperation,
  { context, requireAccess }: RunningResponse,
): void | Promise<void> {
  const decide = (principal: Principal | undefined): void => {
    requireAdmission(deps, operation, principal);
    requireAccess?.(principal);
  };
  if (!context.principal || !context.head) {
    decide(undefined);
    return;
  }
  const principal = authenticateCaller(deps, context.head, context.req);
  if (principal instanceof Promise) return principal.then(decide);
  decide(principal);
}

async function admitLater(
  deps: AllowDeps,
  operation: DescribedOperation,
  { context, caller }: { readonly context: RequestContext; readonly caller: Promise<Principal | undefined> },
): Promise<void> {
  admitCaller(deps, operation, { context, principal: await caller });
}

function admitCaller(
  deps: AllowDeps,
  operation: DescribedOperation,
  { context, principal }: { readonly context: RequestContext; readonly principal: Principal | undefined },
): void {
  if (principal) {
    context.principal = principal;
    markKnownCaller(context.req.socket);
  } else if (operation.row.body) requireUnreservedPlace(context.req.socket);
  requireAdmission(deps, operation, principal);
}

/** Returns the caller that the context has already, or authenticates the caller. */
function callerOf(
  deps: AllowDeps,
  operation: DescribedOperation,
  context: RequestContext,
): Principal | Promise<Principal> {
  if (context.principal) return context.principal;
  const head = headOf(context, operation.row.changes === true);
  context.head = head;
  return authenticateCaller(deps, head, context.req);
}

/**
 * Throws `forbidden` for a caller without a required role, and `application_stopped`. A call, and the list of the calls
 * that a caller may make, use this check.
 */
export function requireAdmission(
  { rolesOf, isRunning }: Pick<AllowDeps, 'rolesOf' | 'isRunning'>,
  operation: DescribedOperation,
  principal: Principal | undefined,
): void {
  requireRole(operation.name, rolesOf(operation), principal);
  const { component } = operation;
  if (component !== undefined && isRunning?.(component) === false)
    throw new Problem('application_stopped', `the application ${component} is stopped`);
}

/** Returns the caller of a public operation that identifies callers; `undefined` without valid credentials. */
async function optionalCaller(
  deps: AllowDeps,
  operation: DescribedOperation,
  context: RequestContext,
): Promise<Principal | undefined> {
  if (!operation.row.optionalToken) return undefined;
  try {
    return await callerOf(deps, operation, context);
  } catch {
    return undefined;
  }
}

/**
 * Returns the caller. Accepts at most one Authorization header. Throws `unauthorized` with the same text for
 * every reason, which the challenge (RFC 6750) only classifies; the `cause` holds the reason.
 */
function authenticateCaller(
  { authenticate }: AllowDeps,
  head: RequestHead,
  req: IncomingMessage,
): Principal | Promise<Principal> {
  try {
    // Node keeps the first Authorization header and silently drops further headers of this name.
    if (countHeader('authorization', req) > 1) throw unauthorized(new Error('several authorization headers'));
    const principal = authenticate(head);
    return principal instanceof Promise ? principal.catch(throwUniformly) : principal;
  } catch (error) {
    return throwUniformly(error);
  }
}

/** Throws the same Problem for every reason why a caller is not authenticated; others unchanged. */
function throwUniformly(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'unauthorized') throw error;
  throw unauthorized(error.extras.cause ?? error, error.extras.headers);
}

/**
 * Throws `forbidden` if the caller has none of the roles for an operation. The detail names the accepted roles, and
 * the roles of the token before and after the role map.
 */
export function requireRole(operation: string, roles: AllowedRoles, principal: Principal | undefined): void {
  if (admits(roles, principal)) return;
  const accepted = typeof roles === 'string' ? [] : roles;
  const needed = `${operation} needs one of these roles: ${namesOf(accepted)}.`;
  throw new Problem('forbidden', principal ? `${needed} ${broughtRoles(principal)}` : needed);
}

function broughtRoles({ issuer, roles, tokenRoles = roles, rolesFault }: Principal): string {
  const credential = issuer === CERTIFICATE_ISSUER ? 'client certificate' : 'token';
  const brought = `The ${credential} has these roles: ${namesOf(tokenRoles)}`;
  const mapped = tokenRoles === roles ? '' : `; roleMap makes of them: ${namesOf(roles)}`;
  return `${brought}${mapped}.${rolesFault === undefined ? '' : ` ${rolesFault}`}`;
}

/** Maximum number of role names in a detail. */
const MAX_NAMES = 20;
/** Maximum length of a role name in a detail, in characters. */
const MAX_NAME_LENGTH = 64;

function namesOf(roles: readonly string[]): string {
  if (roles.length === 0) return '(none)';
  const shown = roles.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const hidden = roles.length - shown.length;
  return shown.join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
}

/**
 * Returns the parts of the request head that identify the caller. `changes` marks a request with side effects
 * that its method does not imply.
 */
export function headOf({ req, origin }: RequestContext, changes = false): RequestHead {
  return {
    changes,
    header: (name) => headerOf(req, name),
    method: req.method ?? '',
    target: req.url ?? '',
    address: origin.address,
    isOverTls: origin.scheme === 'https',
    clientCertificate: () => clientCertificateOf(req),
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns how many times a header occurs. `name` is in lower case. */
export function countHeader(name: string, { rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] ?? '';
    if (rawName.length === name.length && rawName.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Creates the Problem for a caller without valid credentials; `headers` may replace the plain challenge. */
function unauthorized(cause: unknown, headers: ProblemHeaders = {}): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': 'Bearer', ...headers },
  });
}

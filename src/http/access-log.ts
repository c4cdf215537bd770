import { type Attempt, MAX_ATTEMPT_TEXT } from '../core/attempt.js';
import type { AnsweredRequest } from '../core/metric.js';
import type { Principal } from '../core/principal.js';
import type { Problem } from '../core/problem.js';
import type { Redact } from '../core/secret.js';
import type { ServedRequest } from '../core/trace.js';
import { maskText } from '../lib/mask-text.js';
import { addLogFields, identityOf, type RequestContext, type RequestContextDeps } from './request-context.js';

/** How a response ended. Every end has all members, so that V8 has one class of object for them. */
export interface ResponseEnd {
  /** Status that was sent; 499 if the client closed the connection before that. */
  readonly status: number;
  /** Size of the body in bytes; undefined: unknown. */
  readonly bytes: number | undefined;
  /** Milliseconds from the head of the request to the end of its response. */
  readonly ms: number;
  /** True if the connection closed before the response was complete, and no error in this server closed it. */
  readonly clientClosed: boolean;
  /** True for a body that was forwarded while it arrived, whose size the access line has. */
  readonly isForwarded: boolean;
  /** The failure that the response reports. */
  readonly problem: Problem | undefined;
}

/**
 * Writes the access line of a request, records its metrics, and ends its span. A successful poll of a monitor
 * has only metrics, because such requests may outnumber the calls.
 */
export function recordResponse(
  { log, measure, redact = unchanged }: RequestContextDeps,
  context: RequestContext,
  end: ResponseEnd,
): void {
  const { span } = context;
  const completed = completedRequest(context, end, redact);
  measure?.(completed);
  if (context.isPolled && end.status < 400) return;
  log.info('request', accessFields(context, end));
  if (span && span.isRecording !== false) span.end(completed, servedRequest(context));
}

function servedRequest({ req, route, origin: { scheme, address } }: RequestContext): ServedRequest {
  const { host, 'user-agent': userAgent } = req.headers;
  return { scheme, host, route, clientAddress: address, protocolVersion: req.httpVersion, userAgent };
}

function accessFields(
  context: RequestContext,
  { status, ms, bytes, clientClosed, isForwarded, problem }: ResponseEnd,
): Record<string, unknown> {
  const { req, path, principal, refusal, origin } = context;
  const fields = addLogFields({ method: req.method, path, status, ms }, context);
  fields['clientAddress'] = origin.address;
  if (isForwarded) fields['bytes'] = bytes;
  if (clientClosed) fields['clientClosed'] = true;
  if (principal) addCaller(fields, principal);
  if (problem) addProblem(fields, problem, principal);
  if (refusal) {
    fields['outcome'] = refusal.outcome;
    fields['reason'] = refusal.reason;
  }
  return fields;
}

/** Adds the identity of the caller, and its name unless this is the subject. */
function addCaller(fields: Record<string, unknown>, { subject, issuer, name }: Principal): void {
  fields['subject'] = subject;
  fields['issuer'] = issuer;
  if (name !== undefined) fields['caller'] = name;
}

/** Adds the code of a problem, the reason of a rejected token, and the roles that do not suffice. */
function addProblem(
  fields: Record<string, unknown>,
  problem: Problem,
  principal: Principal | undefined,
): void {
  const { code, extras } = problem;
  fields['code'] = code;
  if (code === 'unauthorized' && extras.cause instanceof Error) fields['reason'] = extras.cause.message;
  if (code === 'forbidden' && principal) addRoles(fields, principal);
}

/** Maximum number of role names in a log line. */
const MAX_LOGGED_ROLES = 100;

/** Adds the roles of a caller without the required role, before and after the role map of the issuer. */
function addRoles(fields: Record<string, unknown>, { roles, tokenRoles = roles }: Principal): void {
  fields['roles'] = roles.slice(0, MAX_LOGGED_ROLES);
  // The log masks fields with "token" in their name.
  fields['issuerRoles'] = tokenRoles.slice(0, MAX_LOGGED_ROLES);
}

/** Returns the request without its bodies. A call of an adapter names its caller, its attempts and its failure as well. */
function completedRequest(
  context: RequestContext,
  { status, ms, bytes, problem }: ResponseEnd,
  redact: Redact,
): AnsweredRequest {
  const { req, requestId, span, path, startedAt, principal, origin } = context;
  const { subject: caller, issuer, name: callerName } = identityOf(context);
  return {
    operation: context.operation ?? '',
    adapter: context.adapter ?? '',
    status,
    seconds: ms / 1000,
    startedAt,
    requestId,
    method: req.method ?? '',
    path,
    about: context.auditTarget ?? '',
    caller,
    issuer,
    callerName,
    code: codeOf(problem),
    traceId: span?.traceId,
    clientAddress: origin.address,
    roles: principal?.roles,
    replyBytes: bytes,
    detail: problem && maskText(redact(problem.message)),
    attempts: maskedAttempts(span, redact),
  };
}

function codeOf(problem: Problem | undefined): string {
  return problem?.code ?? '';
}

function unchanged(text: string): string {
  return text;
}

function maskedAttempts(span: RequestContext['span'], redact: Redact): readonly Attempt[] | undefined {
  return span?.attempts?.map((attempt) => maskedAttempt(attempt, redact));
}

/** Removes secrets from what an orchestrator answered, or from the reason of a failure. */
function maskedAttempt(attempt: Attempt, redact: Redact): Attempt {
  if (attempt.text === undefined) return attempt;
  return { ...attempt, text: startOf(maskText(redact(attempt.text))) };
}

/** Returns the start of a text as a copy, because V8 keeps the whole text in memory while a substring of it exists. */
function startOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_ATTEMPT_TEXT)).toString();
}

import { type Attempt, MAX_ATTEMPT_TEXT } from '../core/attempt.js';
import { maskText } from '../core/mask-text.js';
import type { AnsweredRequest } from '../core/metric.js';
import type { Principal } from '../core/principal.js';
import type { Problem } from '../core/problem.js';
import type { Redact } from '../core/secret.js';
import type { ServedRequest } from '../core/trace.js';
import { callerOrigin } from './caller-origin.js';
import { addLogFields, identityOf, type RequestContext, type RequestContextDeps } from './request-context.js';
import type { HttpResponse } from './response.js';

/** Outcome of a request for the access log. */
interface ResponseResult extends Pick<HttpResponse, 'status'> {
  /** Body of the response; absent: it is streamed. */
  readonly bytes?: Buffer | undefined;
  readonly problem?: Problem | undefined;
  /** Number of forwarded bytes, for streams. */
  readonly streamed?: number | undefined;
}

/**
 * Writes the access line of a request, records its metrics, and ends its span. A successful poll of a monitor
 * has only metrics, because such requests may outnumber the calls.
 */
export function recordResponse(
  { log, clock, measure, redact = unchanged }: RequestContextDeps,
  context: RequestContext,
  result: ResponseResult,
): void {
  const { span } = context;
  const timed: TimedRequest = { context, ms: clock.now() - context.startedAt };
  const completed = completedRequest(timed, result, redact);
  measure?.(completed);
  if (context.isPolled && result.status < 400) return;
  log.info('request', accessFields(timed, result));
  if (span && span.isRecording !== false) span.end(completed, servedRequest(context));
}

/** A request and its duration in milliseconds. */
interface TimedRequest {
  readonly context: RequestContext;
  readonly ms: number;
}

function servedRequest({ req, route }: RequestContext): ServedRequest {
  const { scheme, address } = callerOrigin(req);
  const { host, 'user-agent': userAgent } = req.headers;
  return { scheme, host, route, clientAddress: address, protocolVersion: req.httpVersion, userAgent };
}

function accessFields(
  { context, ms }: TimedRequest,
  { status, problem, streamed }: ResponseResult,
): Record<string, unknown> {
  const { req, path, principal, refusal } = context;
  const fields = addLogFields({ method: req.method, path, status, ms }, context);
  fields['clientAddress'] = callerOrigin(req).address;
  if (streamed !== undefined) fields['bytes'] = streamed;
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
  { context, ms }: TimedRequest,
  { status, problem, streamed, bytes }: ResponseResult,
  redact: Redact,
): AnsweredRequest {
  const { req, requestId, span, path, startedAt, principal } = context;
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
    clientAddress: callerOrigin(req).address,
    roles: principal?.roles,
    replyBytes: streamed ?? bytes?.length,
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

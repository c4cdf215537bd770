import { type AuditRecord, type AuditWriter, roomFor } from '../core/audit.js';
import type { Reply } from '../core/operation.js';
import type { ProblemCode } from '../core/problem-codes.js';
import { Problem } from '../core/problem.js';
import { isoTime } from '../lib/iso-time.js';
import { maskText } from '../lib/mask-text.js';
import type { RefusalSampler } from './refusal-sampler.js';
import { identityOf, type RequestContext, type RequestContextDeps } from './request-context.js';
import type { HttpResponse } from './response.js';

export interface AuditDeps extends RequestContextDeps {
  readonly audit: AuditWriter;
}

/** Dependencies of an audited call. */
export interface WithAuditDeps extends AuditDeps {
  readonly refusals: RefusalSampler;
}

/** Response of an audited action, and its outcome for the audit record. */
export interface AuditedResult {
  readonly response: HttpResponse;
  readonly outcome: string;
  /** Why the orchestrator refused the action. */
  readonly reason?: string | undefined;
  /** The states before and after the action; the record contains their digests. */
  readonly change?: Reply['change'];
  readonly caller?: Reply['caller'];
  /** True if the action did nothing, which is not recorded. */
  readonly didNothing?: true | undefined;
}

/** How an audited action ended, for its audit record. */
export interface AuditedEnd {
  readonly status: number;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly change?: Reply['change'];
  readonly failure?: Problem;
}

/**
 * Returns the end of an action that succeeded, and notes its caller and its refusal in the context; undefined if it needs no
 * record, because it did nothing, or its caller is unknown and enough such calls are recorded.
 */
export function endOfSuccess(
  deps: WithAuditDeps,
  context: RequestContext,
  result: AuditedResult,
): AuditedEnd | undefined {
  const { response, outcome, change, didNothing } = result;
  context.identified = result.caller;
  const reason = noteRefusal(deps, context, result);
  const recorded = didNothing ? undefined : recordedOutcome(deps, context, { outcome, isUnchecked: false });
  return recorded === undefined ? undefined : { status: response.status, outcome: recorded, reason, change };
}

/** Returns the end of an action that failed, and notes its caller and its refusal; undefined if it needs no record. */
export function endOfFailure(
  deps: WithAuditDeps,
  context: RequestContext,
  failure: Problem,
): AuditedEnd | undefined {
  const { code, status, extras } = failure;
  if (extras.caller) context.identified = extras.caller;
  else if (extras.callerName !== undefined)
    context.identified = { subject: '', issuer: '', name: extras.callerName };
  const outcome = recordedOutcome(deps, context, {
    outcome: extras.outcome ?? code,
    isUnchecked: UNCHECKED_CODES.has(code),
  });
  const reason = noteRefusal(deps, context, { outcome, reason: extras.reason });
  return outcome === undefined ? undefined : { status, outcome, reason, change: extras.change, failure };
}

/** Maximum length of a reason in the audit trail and in the log, in characters. */
const MAX_REASON_LENGTH = 1000;

/** Maximum length of a reason before its secrets are removed. A secret that this cuts off is past the final length. */
const MAX_SEARCHED_LENGTH = 8000;

/**
 * Returns the reason of an orchestrator on one line of limited length, without known secrets and without texts that
 * look like secrets. Keeps it for the access line.
 */
function noteRefusal(
  { redact = (text) => text }: WithAuditDeps,
  context: RequestContext,
  { outcome = '', reason }: { readonly outcome?: string | undefined; readonly reason?: string | undefined },
): string | undefined {
  if (reason === undefined) return undefined;
  const masked = maskText(redact(reason.slice(0, MAX_SEARCHED_LENGTH)));
  const line = masked.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH);
  if (line === '') return undefined;
  context.refusal = { outcome, reason: line };
  return line;
}

/** Codes of calls that were refused before anything was checked. */
const UNCHECKED_CODES: ReadonlySet<ProblemCode> = new Set(['too_many_requests', 'login_busy', 'overloaded']);

/**
 * Returns the outcome of a call for its record; undefined if it needs none, because its caller is unknown, and enough calls from
 * the same network are recorded. The next record contains the number of those that are not.
 */
function recordedOutcome(
  { refusals, clock }: WithAuditDeps,
  context: RequestContext,
  { outcome, isUnchecked }: { readonly outcome: string; readonly isUnchecked: boolean },
): string | undefined {
  // Only verified credentials, or the signature of an identity provider, give an issuer.
  if ((identityOf(context).issuer ?? '') !== '') return outcome;
  const { origin, operation = '' } = context;
  const skipped = refusals.take({ address: origin.address, operation, isUnchecked }, clock.now());
  if (skipped === undefined) return undefined;
  return skipped === 0 ? outcome : `${outcome}; ${skipped} refusals before this one were not recorded`;
}

/**
 * Reserves room in the audit trail for the records of a call, before the call has an effect. Throws or rejects with
 * `audit_unavailable` if the trail has none. The result is synchronous while the trail has room.
 */
export function reserveRecords(
  deps: AuditDeps,
  context: AuditedRequest,
  count: number,
): Promise<void> | undefined {
  const bytes = roomOf(context);
  const isReserved = reserve(deps, context, count * bytes);
  if (isReserved === true) {
    context.auditRoom = bytes;
    return undefined;
  }
  return isReserved.then((reserved) => {
    if (!reserved) throw notRecordable();
    context.auditRoom = bytes;
  });
}

/** Returns the room for one record of a call. */
function roomOf(context: AuditedRequest): number {
  const { subject, issuer, name } = identityOf(context);
  return roomFor([context.path, context.auditTarget, subject, issuer, name]);
}

function reserve(
  { audit, log }: AuditDeps,
  { requestId }: RequestContext,
  bytes: number,
): true | Promise<boolean> {
  const onError = (error: unknown): false => {
    log.error('audit trail check failed; refusing the call', { requestId, error });
    return false;
  };
  try {
    const reserved = audit.reserve(bytes);
    if (reserved === true) return true;
    return Promise.resolve(reserved).catch(onError);
  } catch (error) {
    return Promise.resolve(onError(error));
  }
}

/** Creates the Problem of a call that the server refuses because the call cannot be audited. */
export function notRecordable(cause?: unknown): Problem {
  const detail = 'The call was not carried out, because it could not be recorded.';
  return new Problem('audit_unavailable', detail, { cause });
}

/** A request context with the audited object of the request. */
export type AuditedRequest = RequestContext & { readonly auditTarget: string };

/** Appends one audit record. On failure, logs the lost record and rethrows the error of the trail. */
export async function appendRecord(deps: AuditDeps, context: AuditedRequest, end: AuditedEnd): Promise<void> {
  try {
    await deps.audit.append(recordOf(deps, context, end), context.auditRoom);
  } catch (error) {
    logLost(deps, context, { end, error });
    throw error;
  }
}

/** Appends the record of a call that only took rights away, and logs a record that waits until the trail is back. */
export async function appendOrKeepRecord(
  deps: AuditDeps,
  context: AuditedRequest,
  end: AuditedEnd,
): Promise<void> {
  const record = recordOf(deps, context, end);
  if (await deps.audit.appendOrKeep(record)) return;
  const { requestId, operation, subject, issuer, status, outcome } = record;
  const fields = { requestId, operation, subject, issuer, status, outcome };
  deps.log.error('audit trail accepts no record; the record waits in memory', fields);
}

/** A record that the trail did not store, and the error of the trail. */
interface LostRecord {
  readonly end: AuditedEnd;
  readonly error: unknown;
}

function logLost({ log }: AuditDeps, context: RequestContext, { end, error }: LostRecord): void {
  const { requestId, operation = '' } = context;
  const { status, outcome } = end;
  log.error('audit record lost', { requestId, operation, status, outcome, error });
}

/** Logs a lost record. Creates the Problem of a call that ended, in success or failure, and was not recorded. */
export function notRecorded(deps: AuditDeps, context: RequestContext, lost: LostRecord): Problem {
  logLost(deps, context, lost);
  const { status, failure } = lost.end;
  const end =
    failure === undefined
      ? `was carried out (it ended with status ${status}) but`
      : `failed with status ${status} and was`;
  const detail = `The action ${end} not recorded. Check its effect before sending it again.`;
  return new Problem('audit_unavailable', detail, { cause: failure });
}

/** A record that is being created: its optional members are added one by one, because spreads take several times as long. */
type NewRecord = { -readonly [Name in keyof AuditRecord]: AuditRecord[Name] };

/** Returns the audit record of an action that ended now. */
export function recordOf(
  deps: AuditDeps,
  context: AuditedRequest,
  { status, outcome, reason, change }: AuditedEnd,
): AuditRecord {
  const { requestId, operation = '', path, auditTarget, startedAt, origin } = context;
  const now = deps.clock.now();
  const { subject, issuer = '', name } = identityOf(context);
  const record: NewRecord = {
    time: isoTime(now),
    requestId,
    operation,
    subject,
    issuer,
    target: auditTarget === '' ? path : `${path} ${auditTarget}`,
    status,
    outcome,
    durationMs: now - startedAt,
    before: digestOf(deps, change?.before),
    after: digestOf(deps, change?.after),
  };
  if (name !== undefined) record.name = name;
  if (origin.address !== '') record.clientAddress = origin.address;
  if (reason !== undefined) record.reason = reason;
  return record;
}

/**
 * Returns the digest of a state, or an empty string on failure, because a record without a digest is better
 * than no record.
 */
function digestOf({ audit, log }: AuditDeps, state: unknown): string {
  try {
    return audit.digest(state);
  } catch (error) {
    log.error('state digest failed; recording without a digest', { error });
    return '';
  }
}

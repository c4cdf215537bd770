import type { AuditTrail } from '../core/audit-trail.js';
import type { Reply } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { HttpResponse } from './response.js';
import { problemOf } from './client-disconnect.js';
import type { RequestContext, RequestContextDeps } from './request-context.js';

export interface AuditDeps extends RequestContextDeps {
  readonly audit: Pick<AuditTrail, 'append' | 'writable' | 'digest'>;
}

/** Result of an audited action, and its outcome for the audit record. */
export interface AuditedResult {
  readonly answer: HttpResponse;
  readonly outcome: string;
  /** The states before and after the action; the record keeps their digests. */
  readonly change?: Reply['change'];
}

/**
 * Runs the action and appends one audit record before the response is sent, whether the action succeeds or
 * fails. Throws the Problem of the action, or `audit_unavailable`: before the action when no record can be
 * kept, or after the action, with that information, when the record was lost.
 */
export async function withAudit(
  deps: AuditDeps,
  context: AuditedRequest,
  act: () => Promise<AuditedResult>,
): Promise<HttpResponse> {
  const writable = isWritable(deps, context);
  if (writable !== true && !(await writable)) throw unrecordable();
  const ending = await act().catch(problemOf);
  if (ending instanceof Problem) {
    await record(deps, context, {
      status: ending.status,
      outcome: ending.extras.outcome ?? ending.code,
      failure: ending,
    });
    throw ending;
  }
  const { answer, outcome, change } = ending;
  await record(deps, context, { status: answer.status, outcome, change });
  return answer;
}

/**
 * Returns whether the trail can accept a record, to its knowledge. The result is synchronous while the trail
 * works.
 */
export function isWritable(
  { audit, log }: AuditDeps,
  { requestId }: RequestContext,
): boolean | Promise<boolean> {
  const unknown = (error: unknown): boolean => {
    log.error('audit trail cannot tell whether it is writable', { requestId, error });
    return false;
  };
  try {
    const writable = audit.writable();
    return typeof writable === 'boolean' ? writable : writable.catch(unknown);
  } catch (error) {
    return unknown(error);
  }
}

/** Creates the Problem of a call that is refused because it could not be audited. */
export function unrecordable(cause?: unknown): Problem {
  const detail = 'Nothing was done, because it could not have been recorded.';
  return new Problem('audit_unavailable', detail, { cause });
}

/** A request context with the audited subject of the request. */
export type AuditedRequest = RequestContext & { readonly about: string };

interface Ending {
  readonly status: number;
  readonly outcome: string;
  readonly change?: Reply['change'];
  readonly failure?: Problem;
}

async function record(
  deps: AuditDeps,
  context: AuditedRequest,
  { failure, ...ending }: Ending,
): Promise<void> {
  try {
    await appendRecord(deps, context, ending);
  } catch {
    const detail = `The action was carried out (it ended with status ${ending.status}) but not recorded. Check its effect before sending it again.`;
    throw new Problem('audit_unavailable', detail, { cause: failure });
  }
}

/** Appends one record. On failure, logs the lost record and rethrows the error of the trail. */
export async function appendRecord(
  deps: AuditDeps,
  { requestId, operation = '', path, about, principal, startedAt }: AuditedRequest,
  { status, outcome, change }: Omit<Ending, 'failure'>,
): Promise<void> {
  const now = deps.clock.now();
  try {
    await deps.audit.append({
      time: new Date(now).toISOString(),
      requestId,
      operation,
      subject: principal?.subject ?? '',
      issuer: principal?.issuer ?? '',
      target: about === '' ? path : `${path} ${about}`,
      status,
      outcome,
      durationMs: now - startedAt,
      before: digestOf(deps, change?.before),
      after: digestOf(deps, change?.after),
    });
  } catch (error) {
    deps.log.error('audit record lost', { requestId, operation, status, outcome, error });
    throw error;
  }
}

/**
 * Returns the digest of a state, or an empty text on failure: a record without a digest is better than no
 * record.
 */
function digestOf({ audit, log }: AuditDeps, state: unknown): string {
  try {
    return audit.digest(state);
  } catch (error) {
    log.error('a state has no digest', { error });
    return '';
  }
}

import type { AuditTrail } from '../core/audit-trail.js';
import type { Reply } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { HttpResponse } from './response.js';
import { problemOf } from './failure.js';
import type { RequestContext, RequestContextDeps } from './request-context.js';

export interface AuditDeps extends RequestContextDeps {
  readonly audit: Pick<AuditTrail, 'append' | 'writable' | 'digest'>;
}

/** What was done, and the word for it in the audit record. */
export interface AuditedResult {
  readonly answer: HttpResponse;
  readonly outcome: string;
  /** The states before and after, of which the record keeps digests. */
  readonly change?: Reply['change'];
}

/**
 * Does the deed and keeps one record of it before the answer goes out, whether the deed succeeds or fails.
 * Throws the deed's own Problem, or `audit_unavailable`: without doing anything when no record can be kept,
 * and after the deed, saying so, when the record was lost.
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

/** True when the trail can take a record, as far as it knows: at once, while it works. */
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

/** The Problem of a call that is refused because nobody could look it up later. */
export function unrecordable(cause?: unknown): Problem {
  const detail = 'Nothing was done, because it could not have been recorded.';
  return new Problem('audit_unavailable', detail, { cause });
}

/** A visit, and what its operation says that it is about. */
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

/** Appends one record. Throws what the trail throws, once the log has what was lost. */
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

/** A record without a digest is better than none. */
function digestOf({ audit, log }: AuditDeps, state: unknown): string {
  try {
    return audit.digest(state);
  } catch (error) {
    log.error('a state has no digest', { error });
    return '';
  }
}

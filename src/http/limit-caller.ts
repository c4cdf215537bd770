import type {
  AdmitCall,
  LimitedAdmission,
  LimitedCaller,
  LimitRefusal,
  LimitedCall,
} from '../core/limits.js';
import type { DescribedOperation } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { RequestContext } from './request-context.js';

export interface LimitDeps {
  /** Counts a call for the limits of callers; absent: no limits. */
  readonly admit?: AdmitCall | undefined;
}

/** Ends a call for limits of concurrent calls. */
type EndCall = () => void;

/**
 * Counts a query that another operation sends through an adapter for its caller. Returns the function that ends it. Throws
 * `too_many_requests` for a query that a limit refuses.
 */
export type AdmitQuery = (adapter: string, caller: LimitedCaller) => Promise<EndCall>;

/** Creates the function that counts queries as an operation. */
export function createAdmitQuery(admit: AdmitCall, operation: DescribedOperation): AdmitQuery {
  return async (adapter, caller) => {
    const admission = await admit(limitedCallOf(operation, adapter, caller));
    if (admission?.refusal) throw refused(admission.refusal);
    return admission?.end ?? (() => undefined);
  };
}

/**
 * Counts an authorized call for the limits of its caller, before its body is read. Adds the headers `RateLimit` and
 * `RateLimit-Policy` to the response. Returns the function that ends the call; undefined if no limit applies. Throws
 * `too_many_requests` for a call that a limit refuses.
 */
export function limitCaller(
  { admit }: LimitDeps,
  operation: DescribedOperation,
  context: RequestContext,
): EndCall | undefined | Promise<EndCall | undefined> {
  if (!admit) return undefined;
  const { principal, adapter = '', origin } = context;
  const caller = { principal, address: origin.address };
  const admission = admit(limitedCallOf(operation, adapter, caller));
  if (admission instanceof Promise) return admission.then((decided) => applyTo(context, decided));
  return applyTo(context, admission);
}

function applyTo(context: RequestContext, admission: LimitedAdmission | undefined): EndCall | undefined {
  if (!admission) return undefined;
  for (const [name, value] of Object.entries(admission.headers)) context.res.setHeader(name, value);
  const { refusal } = admission;
  if (!refusal) return admission.end;
  context.refusal = { outcome: 'too_many_requests', reason: `limit ${refusal.limit}` };
  throw refused(refusal);
}

function refused({ limit, detail, retryAfterSeconds }: LimitRefusal): Problem {
  return new Problem('too_many_requests', detail, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    advice: `Wait ${retryAfterSeconds} s, or ask the operator to raise the limit "${limit}".`,
  });
}

/** Operations that only an exact name limits: an administrator can always remove a limit. */
const UNLIMITED = /^(health|limits|access-rules)\./;

function limitedCallOf(
  { name, row }: DescribedOperation,
  adapter: string,
  { principal, address }: LimitedCaller,
): LimitedCall {
  const isMonitoring = row.polled === true || UNLIMITED.test(name);
  return { operations: [name, ...(row.through ?? [])], isMonitoring, adapter, principal, address };
}

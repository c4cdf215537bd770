import { randomUUID } from 'node:crypto';
import { passThrough } from '../api/proxy/pass-through.js';
import { HEADER_STYLES } from '../auth/authenticate.js';
import { authenticateWith, rolesWith } from '../api/services/authentication.js';
import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import type { MeasureRequest } from '../core/metric.js';
import type { Redact } from '../core/redactor.js';
import type { AdapterInstance, LeaseAdapter } from '../core/snapshot.js';
import { bindStream } from '../core/stream.js';
import type { Tracer } from '../core/trace.js';
import type { AllowDeps } from '../http/authorize.js';
import type { AuditDeps } from '../http/with-audit.js';
import { createProxyHandler, type ProxyHandler } from '../http/proxy-handler.js';
import type { SnapshotHolder } from './reload/snapshot-holder.js';
import type { ActiveSnapshot } from './reload/active-snapshot.js';

/** What every door of a process works with. */
export interface PipelineInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly audit: AuditDeps['audit'];
  readonly log: Log;
  readonly clock: Scheduler;
  /** Takes secrets out of what failures tell. */
  readonly redact: Redact;
  readonly tracer: Tracer;
}

/** The rungs that are the same for every request, by what is live; `measure` is told each answer. */
export function createPipelineDeps(input: PipelineInput, measure: MeasureRequest): AllowDeps & AuditDeps {
  const { current, audit, log, clock, redact, tracer } = input;
  return {
    log,
    clock,
    redact,
    tracer,
    newId: randomUUID,
    measure,
    audit,
    authenticate: authenticateWith(input),
    rolesOf: rolesWith(current),
    isRunning: (name) => current.current().applications.get(name)?.state !== 'STOPPED',
  };
}

/** What streams go through. */
export interface UpstreamAccess {
  readonly leaseAdapter: LeaseAdapter;
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}

/** The door of what is passed on as a stream; whoever calls shows so in a header. */
export function openProxyHandler(
  input: PipelineInput,
  ladder: AllowDeps & AuditDeps,
  wayOut: UpstreamAccess,
): ProxyHandler {
  const authenticate = authenticateWith(input, HEADER_STYLES);
  return createProxyHandler({ ...ladder, authenticate, operation: bindStream(passThrough, wayOut) });
}

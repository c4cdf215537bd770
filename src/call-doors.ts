import { randomUUID } from 'node:crypto';
import { passThrough } from './apps/proxy/pass-through.js';
import { HEADER_STYLES } from './auth/authenticate.js';
import { authenticateWith, rolesWith } from './abilities/who-calls.js';
import type { Scheduler } from './domain/clock.js';
import type { Log } from './domain/log.js';
import type { MeasureRequest } from './domain/metric.js';
import type { Redact } from './domain/redactor.js';
import type { AdapterInstance, LeaseAdapter } from './domain/snapshot.js';
import { bindStream } from './domain/stream.js';
import type { Tracer } from './domain/trace.js';
import type { AllowDeps } from './http/allow.js';
import type { AuditDeps } from './http/audited.js';
import { createProxyHandler, type ProxyHandler } from './http/stream-door.js';
import type { SnapshotHolder } from './runtime/current.js';
import type { ActiveSnapshot } from './runtime/live-snapshot.js';

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

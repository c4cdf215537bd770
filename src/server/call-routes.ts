import { randomUUID } from 'node:crypto';
import { HEADER_STYLES } from '../auth/authenticate.js';
import type { AdmitCall } from '../core/limits.js';
import type { Log } from '../core/log.js';
import type { MeasureRequest } from '../core/metric.js';
import type { BoundOperation } from '../core/operation.js';
import type { Redact } from '../core/secret.js';
import type { Tracer } from '../core/trace.js';
import { authenticateWith } from '../features/login/index.js';
import type { OrchestratorManagerDeps } from '../features/orchestrator/execute-call.js';
import { passThrough, bindStream } from '../features/proxy/operations.js';
import { rolesWith } from '../features/roles.js';
import type { AllowDeps } from '../http/authorize.js';
import { createFastRouter, type FastRouter } from '../http/fast-router.js';
import type { LimitDeps } from '../http/limit-caller.js';
import { createPipeline, type Serve } from '../http/pipeline.js';
import { createProxyHandler, type ProxyHandler } from '../http/proxy-handler.js';
import { createStreamRights } from '../http/stream-rights.js';
import type { AuditDeps } from '../http/with-audit.js';
import { compileSchema } from '../json-schema/compile.js';
import type { Scheduler } from '../lib/clock.js';
import type { ActiveSnapshot } from './state/snapshot.js';
import type { SnapshotHolder } from './state/swap.js';

/** Dependencies of the request pipeline of a process. */
export interface PipelineInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly audit: AuditDeps['audit'];
  readonly log: Log;
  readonly clock: Scheduler;
  /** Removes secrets from the text of a failure. */
  readonly redact: Redact;
  readonly tracer: Tracer;
}

interface CallRoutesInput extends PipelineInput {
  /** Called once for each response. */
  readonly measure: MeasureRequest;
  /** Maximum size of a request body. */
  readonly bodyBytes: number;
  /** Maximum number of values in the JSON of a request body. */
  readonly bodyValues: number;
  /** Maximum size of a request body with YANG modules. */
  readonly yangBytes: number;
  /** Default limit of lists. */
  readonly listLimit: number;
  /** Counts calls for the limits of callers. */
  readonly admit: AdmitCall;
  readonly operations: readonly BoundOperation[];
  /** How a call reaches an adapter. */
  readonly access: OrchestratorManagerDeps;
}

/** The routes of calls to orchestrators. */
interface CallRoutes {
  readonly pipelineDeps: AllowDeps & AuditDeps & LimitDeps;
  /** Authentication by the Authorization header, or by the certificate of the connection. */
  readonly headerAuthentication: AllowDeps['authenticate'];
  readonly serve: Serve;
  readonly fast: FastRouter;
  readonly proxy: ProxyHandler;
  /** Authorizes the callers of all open streams again. Called when tokens were revoked; a reload does the same. */
  readonly checkStreams: () => void;
}

/** Creates the request pipeline over the current snapshot, the fast router and the handler of `/proxy`. */
export function createCallRoutes(input: CallRoutesInput): CallRoutes {
  const { current, audit, log, clock, redact, tracer, measure, admit, operations, access } = input;
  const { bodyBytes, bodyValues, yangBytes, listLimit } = input;
  const pipelineDeps: AllowDeps & AuditDeps & LimitDeps = {
    admit,
    log,
    clock,
    redact,
    tracer,
    newId: randomUUID,
    measure,
    audit,
    authenticate: authenticateWith({ current, clock, log }),
    rolesOf: rolesWith(current),
    isRunning: (name) => current.current().applications.get(name)?.state !== 'STOPPED',
  };
  const rights = createStreamRights(clock);
  current.onSwap(rights.check);
  const serve = createPipeline({
    ...pipelineDeps,
    rights,
    compile: compileSchema,
    bodyBytes,
    bodyValues,
    yangBytes,
    listLimit,
  });
  // A stream has its credentials in a header, because its query is passed to the orchestrator unchanged.
  const headerAuthentication = authenticateWith({ current, clock, log }, HEADER_STYLES);
  const streamDeps = { ...pipelineDeps, rights, authenticate: headerAuthentication };
  const proxyDeps = { ...access, policyOf: (adapterId: string) => current.current().access.get(adapterId) };
  return {
    pipelineDeps,
    headerAuthentication,
    serve,
    checkStreams: rights.check,
    fast: createFastRouter(operations, serve),
    proxy: createProxyHandler({ ...streamDeps, operation: bindStream(passThrough, proxyDeps) }),
  };
}

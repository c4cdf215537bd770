import { type Answer, problemAnswer } from './answer.js';
import { problemOf } from './failure.js';
import { hasArrived, isReusable, swallow } from './linger.js';
import { type Exchange, openVisit, PATIENCE, type Visit, type VisitDeps } from './visit.js';

/** Status of the access log for a caller who left before the answer; nothing is written for it. */
const CALLER_GONE = 499;

/** Writes the access line and the answer. Resolves when the connection needs no more care. */
export async function send(deps: VisitDeps, visit: Visit, answer: Answer): Promise<void> {
  const { req, res } = visit;
  if (answer.problem?.code === 'caller_gone' || req.socket.destroyed) {
    logVisit(deps, visit, { ...answer, status: CALLER_GONE });
    res.destroy();
    return;
  }
  logVisit(deps, visit, answer);
  if (!isReusable(req)) res.shouldKeepAlive = false;
  res.writeHead(answer.status, answer.headers);
  await write(visit, answer.bytes, deps.patience ?? PATIENCE);
}

/** Writes the answer of any failure, for operations and for everything that never reached one; the one place for it. */
export function sendFailure(deps: VisitDeps, visit: Visit, error: unknown): Promise<void> {
  const problem = problemOf(error);
  const { requestId, path, operation } = visit;
  const { cause } = problem.extras;
  const fields = {
    requestId,
    ...(operation !== undefined && { operation }),
    code: problem.code,
    error: cause,
  };
  if (problem.code === 'internal') deps.log.error('internal error', fields);
  else if (problem.status >= 500 && cause !== undefined) deps.log.warn('request failed', fields);
  return send(deps, visit, problemAnswer(problem, { instance: path, requestId, redact: deps.redact }));
}

/** Answers a request that no operation serves. */
export type Refuse = (exchange: Exchange, error: unknown) => Promise<void>;

/** Makes the way to refuse requests outside of operations: same answers, same log lines. */
export function createRefuse(deps: VisitDeps): Refuse {
  return (exchange, error) => sendFailure(deps, openVisit(deps, exchange), error);
}

async function write({ req, res }: Visit, bytes: Buffer, patience: typeof PATIENCE): Promise<void> {
  if (hasArrived(req)) {
    res.end(bytes);
  } else {
    // The content length makes the answer whole before the end, which Node follows with the end of the connection.
    res.flushHeaders();
    res.write(bytes);
    const swallowed = await swallow(req, patience);
    res.end(() => {
      if (!swallowed) req.socket.destroy();
    });
  }
  if (res.writableLength > 0) res.setTimeout(patience.stallMs);
}

function logVisit({ log, clock }: VisitDeps, visit: Visit, { status, problem }: Answer): void {
  const { req, path, requestId, operation, principal, startedAt } = visit;
  const cause = problem?.code === 'unauthorized' ? problem.extras.cause : undefined;
  log.info('request', {
    method: req.method,
    path,
    status,
    ms: clock.now() - startedAt,
    requestId,
    ...(operation !== undefined && { operation }),
    ...(principal && { subject: principal.subject }),
    ...(problem && { code: problem.code }),
    ...(cause instanceof Error && { reason: cause.message }),
  });
}

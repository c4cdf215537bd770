import type { OutgoingHttpHeaders } from 'node:http';
import type { AnsweredRequest } from '../domain/metric.js';
import { type Answer, problemAnswer } from './answer.js';
import { goOn } from './connections.js';
import { problemOf } from './failure.js';
import { hasArrived, isReusable, swallow } from './linger.js';
import { isForPerson, refusalPage } from './refusal-page.js';
import { type BegunPieces, beginPieces, writePieces } from './stream.js';
import {
  type Exchange,
  factsOf,
  openVisit,
  PATIENCE,
  type Visit,
  type VisitDeps,
  withFacts,
} from './visit.js';

/** Status of the access log for a caller who left before the answer; nothing is written for it. */
export const CALLER_GONE = 499;

/**
 * Writes the access line and the answer. Resolves when the connection needs no more care; rejects, with nothing written,
 * when an answer in pieces fails before its first.
 */
export async function send(deps: VisitDeps, visit: Visit, answer: Answer): Promise<void> {
  const { req, res } = visit;
  if (answer.problem?.code === 'caller_gone' || req.socket.destroyed) {
    logVisit(deps, visit, { ...answer, status: CALLER_GONE });
    res.destroy();
    return;
  }
  const pieces = answer.pieces && (await beginPieces(answer.pieces));
  logVisit(deps, visit, answer);
  if (!isReusable(req)) res.shouldKeepAlive = false;
  const headers = answer.headers as OutgoingHttpHeaders;
  res.writeHead(answer.status, visit.headers ? { ...visit.headers, ...headers } : headers);
  if (pieces) await stream(deps, visit, pieces);
  else await write(visit, answer.bytes, deps.patience ?? PATIENCE);
}

/** A failure on the way breaks the answer off: a whole JSON document would hide it. */
async function stream(deps: VisitDeps, visit: Visit, pieces: BegunPieces): Promise<void> {
  const { req, res } = visit;
  const { stallMs } = deps.patience ?? PATIENCE;
  if (pieces.together === 0) goOn(res);
  const wanted =
    req.method === 'HEAD' ? { ...pieces, first: { done: true as const, value: undefined } } : pieces;
  try {
    await writePieces(res, wanted, stallMs);
  } catch (error) {
    deps.log.error('an answer was broken off', { ...factsOf(visit), error });
    res.destroy();
  }
}

/** Writes the answer of any failure, for operations and for everything that never reached one; the one place for it. */
export function sendFailure(deps: VisitDeps, visit: Visit, error: unknown): Promise<void> {
  const problem = problemOf(error);
  const { requestId, path } = visit;
  const { cause } = problem.extras;
  const fields = { ...factsOf(visit), code: problem.code, error: cause };
  if (problem.code === 'internal') deps.log.error('internal error', fields);
  else if (problem.status >= 500 && cause !== undefined) deps.log.warn('request failed', fields);
  const isPage = [401, 403].includes(problem.status) && isForPerson(visit);
  const answer = isPage
    ? refusalPage(problem, visit, requestId)
    : problemAnswer(problem, { instance: path, requestId, redact: deps.redact });
  return send(deps, visit, answer);
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

/** What the access line tells of an ending. */
export interface Ended extends Pick<Answer, 'status' | 'problem'> {
  /** Bytes that were passed on, for streams. */
  readonly streamed?: number;
}

/** Writes the access line of a request, has it counted, and ends its span. */
export function logVisit(
  { log, clock, measure }: VisitDeps,
  visit: Visit,
  { status, problem, streamed }: Ended,
): void {
  const { req, path, principal, startedAt, span } = visit;
  const ms = clock.now() - startedAt;
  const fields = withFacts({ method: req.method, path, status, ms }, visit);
  if (streamed !== undefined) fields['bytes'] = streamed;
  if (principal) fields['subject'] = principal.subject;
  if (problem) fields['code'] = problem.code;
  const cause = problem?.code === 'unauthorized' ? problem.extras.cause : undefined;
  if (cause instanceof Error) fields['reason'] = cause.message;
  log.info('request', fields);
  const answered = answeredBy(visit, { status, seconds: ms / 1000, code: problem?.code ?? '' });
  measure?.(answered);
  span?.end(answered);
}

function answeredBy(
  { req, requestId, path, startedAt, principal, operation = '', adapter = '', about = '' }: Visit,
  { status, seconds, code }: Pick<AnsweredRequest, 'status' | 'seconds' | 'code'>,
): AnsweredRequest {
  const method = req.method ?? '';
  const caller = principal?.subject ?? '';
  return { operation, adapter, status, seconds, startedAt, requestId, method, path, about, caller, code };
}

import type { IncomingMessage } from 'node:http';
import type { CallerSignal } from '../domain/caller-signal.js';
import { Problem } from '../domain/problem.js';
import type { BoundStream, StreamReply } from '../domain/stream.js';
import { allow, type AllowDeps } from './allow.js';
import { appendRecord, type AuditDeps, type AuditedVisit, isWritable, unrecordable } from './audited.js';
import { watchCaller } from './caller.js';
import { callerGone, problemOf } from './failure.js';
import { type Passed, passOn } from './pass-on.js';
import { CALLER_GONE, logVisit, sendFailure } from './send.js';
import { readStreamRequest, targetPattern } from './stream-request.js';
import { watchGoodbye } from './upgrades.js';
import { type Exchange, openVisit, PATIENCE, type Visit } from './visit.js';

export interface StreamDoorDeps extends AllowDeps, AuditDeps {
  readonly operation: BoundStream;
}

/** The door of what is passed on as a stream, beside that of the other operations. */
export interface StreamDoor {
  /** True for requests that belong here, whatever else may be wrong with them. */
  readonly isFor: (req: IncomingMessage) => boolean;
  /** Serves one request to its end. Never rejects. */
  readonly serve: (exchange: Exchange) => Promise<void>;
}

/**
 * Makes the door. The ladder is that of the other operations without what looks into a body: allow, read the head,
 * record, open, pass on, record. Until the head of the reply has come a failure is a problem document; afterwards it breaks the
 * connection off.
 */
export function createStreamDoor(deps: StreamDoorDeps): StreamDoor {
  const { operation } = deps;
  const pattern = targetPattern(operation.prefix);
  return {
    isFor: ({ url = '' }) => pattern.test(url),
    async serve(exchange) {
      const visit = openVisit(deps, exchange, operation);
      const { signal, release } = watchCaller(exchange.req);
      const stopWatch = watchGoodbye(exchange.req);
      try {
        await allow(deps, operation, visit);
        const { audited, reply } = await open(deps, visit, signal);
        stopWatch();
        await deliver(deps, audited, reply);
      } catch (error) {
        stopWatch();
        await sendFailure(deps, visit, problemOf(error, signal));
      } finally {
        release();
      }
    },
  };
}

/** Opens the stream, between its two records. */
async function open(
  deps: StreamDoorDeps,
  visit: Visit,
  signal: CallerSignal,
): Promise<{ readonly audited: AuditedVisit; readonly reply: StreamReply }> {
  const { operation } = deps;
  const call = readStreamRequest(visit, operation.prefix);
  visit.adapter = call.adapterId;
  const { method, isUpgrade } = call.request;
  const audited = { ...visit, about: isUpgrade ? 'WebSocket' : method };
  await begin(deps, audited);
  const { principal } = visit;
  try {
    signal.throwIfAborted();
    return { audited, reply: await operation.open({ ...call, signal, ...(principal && { principal }) }) };
  } catch (error) {
    return recordFailure(deps, audited, problemOf(error, signal));
  }
}

/** Records what kept the head of the reply from the caller, and throws it. */
async function recordFailure(deps: StreamDoorDeps, visit: AuditedVisit, error: unknown): Promise<never> {
  const problem = problemOf(error);
  await end(deps, visit, { status: problem.status, outcome: problem.code });
  throw problem;
}

async function begin(deps: StreamDoorDeps, visit: AuditedVisit): Promise<void> {
  if (!(await isWritable(deps, visit))) throw unrecordable();
  try {
    await appendRecord(deps, visit, { status: 0, outcome: 'began' });
  } catch (error) {
    throw unrecordable(error);
  }
}

/** A record that is lost at the end is in the log; its bytes are with the caller, and the next call is refused. */
function end(
  deps: StreamDoorDeps,
  visit: AuditedVisit,
  ending: { readonly status: number; readonly outcome: string },
): Promise<void> {
  return appendRecord(deps, visit, ending).catch(() => undefined);
}

async function deliver(deps: StreamDoorDeps, visit: AuditedVisit, reply: StreamReply): Promise<void> {
  const { requestId } = visit;
  let failure: unknown;
  reply.body.on('error', (error: unknown) => {
    failure = error;
  });
  const passing = passOn(visit, reply, { requestId, patience: deps.patience ?? PATIENCE });
  const passed = await passing.catch((error: unknown) => recordFailure(deps, visit, error));
  const problem = problemAfter(passed, failure);
  const { bytes } = passed;
  const status = problem?.code === 'caller_gone' && !reply.tunnel ? CALLER_GONE : reply.status;
  const outcome = [reply.status, `${bytes} bytes`, ...(problem ? [problem.code] : [])].join(', ');
  await end(deps, visit, { status, outcome });
  logVisit(deps, visit, { status, streamed: bytes, ...(problem && { problem }) });
}

/** What went wrong behind the head. */
function problemAfter({ ending }: Passed, failure: unknown): Problem | undefined {
  if (ending === 'whole') return undefined;
  if (ending === 'left') return callerGone();
  if (failure instanceof Problem) return failure;
  return new Problem('upstream_bad_reply', 'The reply was cut short.', { cause: failure });
}

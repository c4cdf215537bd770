import type { CallerSignal } from '../domain/caller-signal.js';
import type { BoundOperation, Call, Reply } from '../domain/operation.js';
import type { CompileSchema } from '../domain/schema.js';
import { allow, type AllowDeps, headOf } from './allow.js';
import { type Answer, redirectAnswer, replyAnswer, textAnswer } from './answer.js';
import { type AuditDeps, audited, type Deed } from './audited.js';
import { watchCaller } from './caller.js';
import { callerOrigin } from './caller-origin.js';
import { problemOf } from './failure.js';
import { parseBody, readBytes } from './parse.js';
import { send, sendFailure } from './send.js';
import { createValidate, type Validate } from './validate.js';
import { type Exchange, openVisit, type Visit } from './visit.js';

/** A request that a door has found an operation for. */
export interface RoutedExchange extends Exchange {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Serves one request to an operation, until its answer is handed to the connection. Never rejects. */
export type Serve = (operation: BoundOperation, exchange: RoutedExchange) => Promise<void>;

export interface PipelineDeps extends AllowDeps, AuditDeps {
  readonly compile: CompileSchema;
  /** Largest request body. */
  readonly bodyBytes: number;
}

/** What the rungs of the ladder pass on. */
interface Trip {
  readonly operation: BoundOperation;
  readonly exchange: RoutedExchange;
  readonly visit: Visit;
  readonly signal: CallerSignal;
}

/**
 * Makes the one ladder that every request to an operation climbs, whichever door it came through:
 * allow and enter (before the body is read), parse, validate, handle, audit, reply. Failures are answered in one place.
 */
export function createPipeline(deps: PipelineDeps): Serve {
  const validate = createValidate(deps.compile);
  return async (operation, exchange) => {
    const visit = openVisit(deps, exchange, operation);
    visit.adapter = exchange.params['adapterId'] ?? '';
    const { signal, release } = watchCaller(exchange.req);
    const trip = { operation, exchange, visit, signal };
    try {
      await allow(deps, operation, visit);
      enter(trip);
      const body = await readBody(deps, validate, trip);
      const answer = await act(deps, trip, body);
      await send(deps, visit, answer);
    } catch (error) {
      await sendFailure(deps, visit, problemOf(error, signal));
    } finally {
      release();
    }
  };
}

function enter({ operation, exchange, visit }: Trip): void {
  if (!operation.enter) return;
  const { principal } = visit;
  const { address } = callerOrigin(exchange.req);
  visit.headers = operation.enter({ params: exchange.params, address, ...(principal && { principal }) });
}

async function readBody(deps: PipelineDeps, validate: Validate, trip: Trip): Promise<unknown> {
  const { body: schema, unparsed, form, bodyOptional: optional } = trip.operation.row;
  if (!schema) {
    // Clients send bodies where none is asked for; unread, they would hide that the caller has left.
    trip.exchange.req.resume();
    return undefined;
  }
  const terms = { limit: deps.bodyBytes, form, optional };
  if (unparsed) return readBytes(trip.exchange, terms);
  const body = await parseBody(trip.exchange, terms);
  if (body !== undefined) validate(schema, body);
  return body;
}

function act(deps: PipelineDeps, trip: Trip, body: unknown): Promise<Answer> {
  const deed = () => handle(trip, body);
  if (trip.operation.row.audited) {
    const about = aboutOf(trip, body);
    return audited(deps, Object.assign(trip.visit, { about }), deed);
  }
  return deed().then(({ answer }) => answer);
}

const ABOUT_LENGTH = 1024;

/** A text of its own: V8 would keep the whole text of the body for as long as anyone remembers a part of it. */
function aboutOf({ operation, exchange }: Trip, body: unknown): string {
  const target = operation.target({ params: exchange.params, body });
  return Buffer.from(target.slice(0, ABOUT_LENGTH)).toString();
}

async function handle({ operation, exchange, visit, signal }: Trip, body: unknown): Promise<Deed> {
  const { params, query } = exchange;
  const { principal, requestId, span } = visit;
  const { address, header } = headOf(exchange.req);
  const call: Call = { params, query, body, principal, requestId, address, header, signal, span };
  try {
    // A caller who left meanwhile will not read what is done from here on.
    signal.throwIfAborted();
    const reply = await operation.handle(call);
    const answer = answerOf(operation, reply, requestId);
    return { answer: withHeaders(answer, reply), outcome: reply.outcome ?? '', change: reply.change };
  } catch (error) {
    throw problemOf(error, signal);
  }
}

function withHeaders(answer: Answer, { headers }: Reply): Answer {
  return headers ? { ...answer, headers: { ...answer.headers, ...headers } } : answer;
}

function answerOf({ row }: BoundOperation, reply: Reply, requestId: string): Answer {
  if (reply.location !== undefined) return redirectAnswer(reply.location, requestId);
  return row.replyType ? textAnswer(reply, row.replyType, requestId) : replyAnswer(reply, requestId);
}

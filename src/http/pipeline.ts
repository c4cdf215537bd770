import type { CancelSignal } from '../core/cancel-signal.js';
import type { BoundOperation, Call, Reply } from '../core/operation.js';
import type { CompileSchema } from '../core/schema.js';
import { allow, type AllowDeps, headOf } from './authorize.js';
import { type HttpResponse, redirectResponse, jsonResponse, textResponse } from './response.js';
import { type AuditDeps, withAudit, type AuditedResult } from './with-audit.js';
import { problemOf, watchClient } from './client-disconnect.js';
import { callerOrigin } from './caller-origin.js';
import { createValidate, parseBody, readBytes, type Validate } from './request-body.js';
import { send, sendFailure } from './write-response.js';
import { type HttpExchange, createRequestContext, type RequestContext } from './request-context.js';

/** A request with the operation's path parameters and query. */
export interface RoutedExchange extends HttpExchange {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Serves one request to an operation until the response is handed to the connection. Never rejects. */
export type Serve = (operation: BoundOperation, exchange: RoutedExchange) => Promise<void>;

export interface PipelineDeps extends AllowDeps, AuditDeps {
  readonly compile: CompileSchema;
  /** Largest request body. */
  readonly bodyBytes: number;
}

/** State shared by the steps of the pipeline. */
interface PipelineState {
  readonly operation: BoundOperation;
  readonly exchange: RoutedExchange;
  readonly visit: RequestContext;
  readonly signal: CancelSignal;
}

/**
 * Creates the pipeline for requests to operations from every router: authorize and run `beforeBody` (before
 * the body is read), parse, validate, handle, audit, reply. Handles all failures in one place.
 */
export function createPipeline(deps: PipelineDeps): Serve {
  const validate = createValidate(deps.compile);
  return async (operation, exchange) => {
    const context = createRequestContext(deps, exchange, operation);
    context.adapter = exchange.params['adapterId'] ?? '';
    const { signal, release } = watchClient(exchange.req);
    const state = { operation, exchange, visit: context, signal };
    try {
      await allow(deps, operation, context);
      runBeforeBody(state);
      const body = await readBody(deps, validate, state);
      const answer = await runHandler(deps, state, body);
      await send(deps, context, answer);
    } catch (error) {
      await sendFailure(deps, context, problemOf(error, signal));
    } finally {
      release();
    }
  };
}

function runBeforeBody({ operation, exchange, visit: context }: PipelineState): void {
  if (!operation.beforeBody) return;
  const { principal } = context;
  const { address } = callerOrigin(exchange.req);
  context.headers = operation.beforeBody({
    params: exchange.params,
    address,
    ...(principal && { principal }),
  });
}

async function readBody(deps: PipelineDeps, validate: Validate, state: PipelineState): Promise<unknown> {
  const { body: schema, unparsed, form, bodyOptional: optional } = state.operation.row;
  if (!schema) {
    // Clients may send bodies that the operation does not use; an unread body would hide that the caller has
    // left.
    state.exchange.req.resume();
    return undefined;
  }
  const terms = { limit: deps.bodyBytes, form, optional };
  if (unparsed) return readBytes(state.exchange, terms);
  const body = await parseBody(state.exchange, terms);
  if (body !== undefined) validate(schema, body);
  return body;
}

function runHandler(deps: PipelineDeps, state: PipelineState, body: unknown): Promise<HttpResponse> {
  const deed = () => handle(state, body);
  if (state.operation.row.audited) {
    const about = auditTarget(state, body);
    return withAudit(deps, Object.assign(state.visit, { about }), deed);
  }
  return deed().then(({ answer }) => answer);
}

const ABOUT_LENGTH = 1024;

/**
 * Returns the audited target as a copy: a substring would keep the whole body alive in V8 as long as it is
 * referenced.
 */
function auditTarget({ operation, exchange }: PipelineState, body: unknown): string {
  const target = operation.target({ params: exchange.params, body });
  return Buffer.from(target.slice(0, ABOUT_LENGTH)).toString();
}

async function handle(
  { operation, exchange, visit: context, signal }: PipelineState,
  body: unknown,
): Promise<AuditedResult> {
  const { params, query } = exchange;
  const { principal, requestId, span } = context;
  const { address, header } = headOf(exchange.req);
  const call: Call = { params, query, body, principal, requestId, address, header, signal, span };
  try {
    // A caller who has left does not receive the result of the work from here on.
    signal.throwIfAborted();
    const reply = await operation.handle(call);
    const answer = toResponse(operation, reply, requestId);
    return { answer: withHeaders(answer, reply), outcome: reply.outcome ?? '', change: reply.change };
  } catch (error) {
    throw problemOf(error, signal);
  }
}

function withHeaders(answer: HttpResponse, { headers }: Reply): HttpResponse {
  return headers ? { ...answer, headers: { ...answer.headers, ...headers } } : answer;
}

function toResponse({ row }: BoundOperation, reply: Reply, requestId: string): HttpResponse {
  if (reply.location !== undefined) return redirectResponse(reply.location, requestId);
  return row.replyType ? textResponse(reply, row.replyType, requestId) : jsonResponse(reply, requestId);
}

import type { BoundOperation, Call, Reply } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { CompileSchema } from '../core/schema.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { authorize, authorizeAgain, type AllowDeps, headOf } from './authorize.js';
import { createBodyBudget } from './body-budget.js';
import { type InputDeps, readCallInput } from './call-input.js';
import { problemOf, watchClient } from './client-disconnect.js';
import { limitCaller, type LimitDeps } from './limit-caller.js';
import { nextPageHeaders } from './list-request.js';
import { releaseUnsent } from './on-response.js';
import { createRefusalSampler } from './refusal-sampler.js';
import { createValidate, restOfPacket } from './request-body.js';
import {
  type HttpExchange,
  createRequestContext,
  type HeldByCall,
  type RequestContext,
} from './request-context.js';
import {
  type HttpResponse,
  jsonResponse,
  notModifiedResponse,
  redirectResponse,
  textResponse,
} from './response.js';
import type { StreamRights } from './stream-rights.js';
import {
  appendOrKeepRecord,
  type AuditDeps,
  type AuditedEnd,
  type AuditedRequest,
  type AuditedResult,
  endOfFailure,
  endOfSuccess,
  notRecorded,
  recordOf,
  reserveRecords,
  type WithAuditDeps,
} from './with-audit.js';
import { send, sendFailure } from './write-response.js';

/** A request with the operation's path parameters and query. */
export interface RoutedExchange extends HttpExchange {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Serves one request to an operation. Resolves when the connection has the response. Never rejects. */
export type Serve = (operation: BoundOperation, exchange: RoutedExchange) => Promise<void>;

export interface PipelineDeps extends AllowDeps, AuditDeps, LimitDeps, InputDeps {
  readonly compile: CompileSchema;
  /** Ends streams whose callers lose the right to them; absent: streams continue. */
  readonly rights?: StreamRights;
}

/** State shared by the steps of a call. */
export interface CallState extends HeldByCall {
  readonly operation: BoundOperation;
  readonly exchange: RoutedExchange;
  readonly context: RequestContext;
  readonly signal: CancelSignal;
  query: URLSearchParams;
  /** Text of the member that `keepsText` of the operation names. */
  bodyText?: string | undefined;
  /** `requireAccess` of the reply. */
  requireAccess?: Reply['requireAccess'];
}

/**
 * Creates the pipeline that every router uses: run the operation, respond. One handler responds to the failures of all
 * steps.
 */
export function createPipeline(input: PipelineDeps): Serve {
  const deps = { ...input, refusals: createRefusalSampler() };
  const tools = { validate: createValidate(deps.compile), budget: createBodyBudget() };
  return async (operation, exchange) => {
    const context = createRequestContext(deps, exchange, operation);
    context.adapter = exchange.params['adapterId'] ?? '';
    const { signal, cancel, release } = watchClient(exchange.req);
    let stopRights: (() => void) | undefined;
    const state: CallState = {
      operation,
      exchange,
      context,
      signal,
      query: exchange.query,
      bodyText: undefined,
      requireAccess: undefined,
      onEnd: undefined,
      endCall: undefined,
    };
    context.held = state;
    try {
      const response = await runOperation(deps, state, () => readCallInput(deps, tools, state));
      if (isStream(response)) stopRights = watchRights(deps, state, cancel);
      const sending = send(deps, context, response);
      if (sending) await sending;
    } catch (error) {
      await sendFailure(deps, context, problemOf(error, signal));
    } finally {
      stopRights?.();
      release();
      releaseUnsent(context);
    }
  };
}

/** Returns true for a response that is sent while it is generated, as events are. */
function isStream({ chunks }: HttpResponse): boolean {
  return chunks?.batchLength === 0;
}

/** Cancels a stream when its caller loses the right to the operation. */
function watchRights(
  deps: PipelineDeps,
  { operation, context, requireAccess }: CallState,
  cancel: (problem: Problem) => void,
): (() => void) | undefined {
  return deps.rights?.watch({
    principal: context.principal,
    authorize: () => authorizeAgain(deps, operation, { context, requireAccess }),
    end: cancel,
  });
}

/**
 * Runs an operation for a caller; every entrance uses it. The steps are: authorize, count the call for limits, run
 * `beforeBody`, read and validate the input, handle under audit. `readInput` returns the validated body, and may replace
 * the query of the state. Throws the Problem of the step that fails. The state must be released (`releaseHeld`)
 * after the response.
 *
 * An audited operation has one audit record before its response is sent, also if it fails. `audit_unavailable` is thrown before
 * the action if the trail accepts no record, and after the action if the record was lost; its detail distinguishes the two. An
 * operation that only takes rights away never throws it: its record follows when the trail is back.
 */
export async function runOperation(
  deps: AllowDeps & WithAuditDeps & LimitDeps,
  state: CallState,
  readInput: () => unknown,
): Promise<HttpResponse> {
  // One function that waits only for what takes time: each `async` function and each `await` costs every call a promise.
  const { operation, context } = state;
  const authorizing = authorize(deps, operation, context);
  if (authorizing) await authorizing;
  const limited = limitCaller(deps, operation, context);
  state.endCall = limited instanceof Promise ? await limited : limited;
  runBeforeBody(state);
  const arriving = arrivingBody(state);
  if (arriving) await arriving;
  const input = readInput();
  const body = input instanceof Promise ? ((await input) as unknown) : input;
  const auditCheck = beginAudit(deps, state, body);
  if (auditCheck) await auditCheck;
  let result: AuditedResult | Problem;
  try {
    const reply = handle(state, body);
    result = resultOf(state, reply instanceof Promise ? await reply : reply);
  } catch (error) {
    result = problemOf(error, state.signal);
  }
  const end = endOf(deps, state, result);
  if (end) {
    try {
      await appendEnd(deps, state, end);
    } catch (error) {
      throw notRecorded(deps, context, { end, error });
    }
  } else if (context.auditRoom !== undefined) deps.audit.release(context.auditRoom);
  if (result instanceof Problem) throw result;
  return result.response;
}

function runBeforeBody({ operation, exchange, context }: CallState): void {
  if (!operation.beforeBody) return;
  const { principal, origin } = context;
  context.headers = operation.beforeBody({
    params: exchange.params,
    address: origin.address,
    ...(principal && { principal }),
  });
}

function arrivingBody({ operation, exchange }: CallState): Promise<void> | undefined {
  return operation.row.body ? restOfPacket(exchange.req) : undefined;
}

/** Notes the target of an audited call, and reserves room for its record. Throws `audit_unavailable` if the trail has none. */
function beginAudit(deps: WithAuditDeps, state: CallState, body: unknown): Promise<void> | undefined {
  const { operation, context } = state;
  if (!operation.row.audited) return undefined;
  context.auditTarget = auditTarget(state, body);
  if (operation.row.onlyRevokes) return undefined;
  return reserveRecords(deps, context as AuditedRequest, 1);
}

/** Returns the end of an audited call that its record states. */
function endOf(
  deps: WithAuditDeps,
  { operation, context }: CallState,
  result: AuditedResult | Problem,
): AuditedEnd | undefined {
  if (!operation.row.audited) return undefined;
  return result instanceof Problem
    ? endOfFailure(deps, context, result)
    : endOfSuccess(deps, context, result);
}

/** Maximum length of an audited target, in characters. */
const MAX_TARGET_LENGTH = 1024;

/**
 * Returns the audited target as a copy, because V8 keeps the whole body in memory while a substring of the
 * body exists.
 */
function auditTarget({ operation, exchange, query }: CallState, body: unknown): string {
  const target = operation.target({ params: exchange.params, query, body });
  return Buffer.from(target.slice(0, MAX_TARGET_LENGTH)).toString();
}

/** Appends the record of an audited call. Rejects if it is not stored, unless the call only took rights away. */
function appendEnd(deps: WithAuditDeps, { operation, context }: CallState, end: AuditedEnd): Promise<void> {
  const audited = context as AuditedRequest;
  if (operation.row.onlyRevokes) return appendOrKeepRecord(deps, audited, end);
  return deps.audit.append(recordOf(deps, audited, end), context.auditRoom);
}

function handle(state: CallState, body: unknown): Reply | Promise<Reply> {
  const { operation, exchange, context, signal } = state;
  const { params } = exchange;
  const { query, bodyText } = state;
  const { principal, requestId, span } = context;
  const { address, header } = context.head ?? headOf(context);
  // After the client has disconnected, the result of the handler would be unused.
  signal.throwIfAborted();
  const call: Call = { params, query, body, bodyText, principal, requestId, address, header, signal, span };
  return operation.handle(call);
}

function resultOf(state: CallState, reply: Reply): AuditedResult {
  const { operation, context, query } = state;
  state.onEnd = reply.onEnd;
  state.requireAccess = reply.requireAccess;
  const response = toResponse(operation, reply, context.requestId);
  const { outcome = '', reason, change, caller, didNothing } = reply;
  const listHeaders = operation.row.list && nextPageHeaders(query, reply.body);
  const headers = listHeaders ? { ...listHeaders, ...reply.headers } : reply.headers;
  return { response: withHeaders(response, headers), outcome, reason, change, caller, didNothing };
}

function withHeaders(response: HttpResponse, headers: Reply['headers']): HttpResponse {
  return headers ? { ...response, headers: { ...response.headers, ...headers } } : response;
}

function toResponse({ row }: BoundOperation, reply: Reply, requestId: string): HttpResponse {
  if (reply.location !== undefined) return redirectResponse(reply.location, requestId);
  if (reply.notModified) return notModifiedResponse(requestId);
  return row.replyType ? textResponse(reply, row.replyType, requestId) : jsonResponse(reply, requestId);
}

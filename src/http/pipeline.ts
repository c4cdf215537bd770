import type { CancelSignal } from '../core/cancel-signal.js';
import type { BoundOperation, Call, Reply } from '../core/operation.js';
import type { CompileSchema, JsonSchema } from '../core/schema.js';
import { authorize, type AllowDeps, headOf } from './authorize.js';
import {
  type HttpResponse,
  jsonResponse,
  notModifiedResponse,
  redirectResponse,
  textResponse,
} from './response.js';
import { createRefusalSampler } from './refusal-sampler.js';
import {
  type AuditDeps,
  type AuditedRequest,
  type AuditedResult,
  withAudit,
  type WithAuditDeps,
} from './with-audit.js';
import { type BodyBudget, createBodyBudget } from './body-budget.js';
import { problemOf, watchClient } from './client-disconnect.js';
import { bodyLength } from './drain-request.js';
import { callerOrigin } from './caller-origin.js';
import { limitCaller, type LimitDeps } from './limit-caller.js';
import { releaseUnsent } from './on-response.js';
import { nextPageHeaders, readListQuery } from './list-request.js';
import { createValidate, parseBody, readBytes, restOfPacket, type Validate } from './request-body.js';
import { send, sendFailure } from './write-response.js';
import {
  type HttpExchange,
  createRequestContext,
  type HeldByCall,
  type RequestContext,
} from './request-context.js';

/** A request with the operation's path parameters and query. */
export interface RoutedExchange extends HttpExchange {
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Serves one request to an operation. Resolves when the connection has the response. Never rejects. */
export type Serve = (operation: BoundOperation, exchange: RoutedExchange) => Promise<void>;

export interface PipelineDeps extends AllowDeps, AuditDeps, LimitDeps {
  readonly compile: CompileSchema;
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum size of a request body with YANG modules, if it is larger; absent in a call worker. */
  readonly yangBytes?: number;
  /** Maximum number of items of a list reply to a request without a limit; absent: 25. */
  readonly listLimit?: number;
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
    const { signal, release } = watchClient(exchange.req);
    const state: CallState = {
      operation,
      exchange,
      context,
      signal,
      query: exchange.query,
      bodyText: undefined,
      onEnd: undefined,
      endCall: undefined,
    };
    context.held = state;
    try {
      const response = await runOperation(deps, state, () => readBody(deps, tools, state));
      const sending = send(deps, context, response);
      if (sending) await sending;
    } catch (error) {
      await sendFailure(deps, context, problemOf(error, signal));
    } finally {
      release();
      releaseUnsent(context);
    }
  };
}

/**
 * Runs an operation for a caller; every entrance uses it. The steps are: authorize, count the call for limits, run
 * `beforeBody`, read and validate the input, handle under audit. `readInput` returns the validated body, and may replace
 * the query of the state. Throws the Problem of the step that fails. The state must be released (`releaseHeld`)
 * after the response.
 */
export async function runOperation(
  deps: AllowDeps & WithAuditDeps & LimitDeps,
  state: CallState,
  readInput: () => unknown,
): Promise<HttpResponse> {
  const authorizing = authorize(deps, state.operation, state.context);
  if (authorizing) await authorizing;
  const limited = limitCaller(deps, state.operation, state.context);
  state.endCall = limited instanceof Promise ? await limited : limited;
  runBeforeBody(state);
  const arriving = state.operation.row.body && restOfPacket(state.exchange.req);
  if (arriving) await arriving;
  const body = readInput();
  return runHandler(deps, state, body instanceof Promise ? await body : body);
}

/** Validation of bodies, and the memory for bodies of callers without a token. */
interface BodyTools {
  readonly validate: Validate;
  readonly budget: BodyBudget;
}

function runBeforeBody({ operation, exchange, context }: CallState): void {
  if (!operation.beforeBody) return;
  const { principal } = context;
  const { address } = callerOrigin(exchange.req);
  context.headers = operation.beforeBody({
    params: exchange.params,
    address,
    ...(principal && { principal }),
  });
}

function readBody(deps: PipelineDeps, tools: BodyTools, state: CallState): unknown {
  const { body: schema, list } = state.operation.row;
  if (list) return readList(deps, state);
  if (!schema) {
    // Clients may send bodies that the operation does not use. An unread body would hide the disconnect of
    // the client.
    state.exchange.req.resume();
    return undefined;
  }
  const { validate } = tools;
  if (state.context.principal)
    return readValidBody(state, schema, { limit: largestBody(deps, state), validate });
  const release = reserveBody(tools.budget, deps, state);
  return readPublicBody(state, schema, { limit: publicLimit(deps), validate, release });
}

async function readList({ listLimit }: PipelineDeps, state: CallState): Promise<undefined> {
  state.query = await readListQuery(state.exchange, listLimit);
  return undefined;
}

interface BodyTerms {
  readonly limit: number;
  readonly validate: Validate;
}

async function readPublicBody(
  state: CallState,
  schema: JsonSchema,
  { release, ...terms }: BodyTerms & { readonly release: () => void },
): Promise<unknown> {
  try {
    return await readValidBody(state, schema, terms);
  } finally {
    release();
  }
}

/** Returns the valid body of a request, or a Promise of a body that has not arrived. Throws or rejects with its Problem. */
function readValidBody(state: CallState, schema: JsonSchema, { limit, validate }: BodyTerms): unknown {
  const { unparsed, form, bodyOptional: optional, keepsText } = state.operation.row;
  const options = { limit, form, optional, keepsText };
  const toBody = (bytes: Buffer): unknown => {
    if (unparsed) return bytes;
    const { value, memberText } = parseBody(bytes, state.exchange, options);
    state.bodyText = memberText;
    if (value !== undefined) validate(schema, value);
    return value;
  };
  const bytes = readBytes(state.exchange, options);
  return bytes instanceof Promise ? bytes.then(toBody) : toBody(bytes);
}

function largestBody({ bodyBytes, yangBytes = 0 }: PipelineDeps, { operation: { row } }: CallState): number {
  return row.hasYangTexts ? Math.max(bodyBytes, yangBytes) : bodyBytes;
}

/** Maximum size of the body of a caller without a token, in bytes. */
const MAX_PUBLIC_BODY_BYTES = 16_384;

function publicLimit({ bodyBytes }: PipelineDeps): number {
  return Math.min(bodyBytes, MAX_PUBLIC_BODY_BYTES);
}

/** Reserves memory for the body of a caller without a token. Returns the function that releases the memory. */
function reserveBody(budget: BodyBudget, deps: PipelineDeps, { exchange: { req } }: CallState): () => void {
  const bytes = Math.min(bodyLength(req.headers), publicLimit(deps));
  return budget.reserve(callerOrigin(req).address, bytes);
}

function runHandler(deps: WithAuditDeps, state: CallState, body: unknown): Promise<HttpResponse> {
  const action = () => handle(state, body);
  if (state.operation.row.audited) {
    state.context.auditTarget = auditTarget(state, body);
    return withAudit(deps, state.context as AuditedRequest, action);
  }
  return action().then(({ response }) => response);
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

async function handle(state: CallState, body: unknown): Promise<AuditedResult> {
  const { operation, exchange, context, signal } = state;
  const { params } = exchange;
  const { query, bodyText } = state;
  const { principal, requestId, span } = context;
  const { address, header } = context.head ?? headOf(exchange.req);
  const call: Call = { params, query, body, bodyText, principal, requestId, address, header, signal, span };
  try {
    // After the client has disconnected, the result of the handler would be unused.
    signal.throwIfAborted();
    const reply = await operation.handle(call);
    state.onEnd = reply.onEnd;
    const response = toResponse(operation, reply, requestId);
    const { outcome = '', reason, change, caller, didNothing } = reply;
    const listHeaders = operation.row.list && nextPageHeaders(query, reply.body);
    const headers = listHeaders ? { ...listHeaders, ...reply.headers } : reply.headers;
    return { response: withHeaders(response, headers), outcome, reason, change, caller, didNothing };
  } catch (error) {
    throw problemOf(error, signal);
  }
}

function withHeaders(response: HttpResponse, headers: Reply['headers']): HttpResponse {
  return headers ? { ...response, headers: { ...response.headers, ...headers } } : response;
}

function toResponse({ row }: BoundOperation, reply: Reply, requestId: string): HttpResponse {
  if (reply.location !== undefined) return redirectResponse(reply.location, requestId);
  if (reply.notModified) return notModifiedResponse(requestId);
  return row.replyType ? textResponse(reply, row.replyType, requestId) : jsonResponse(reply, requestId);
}

import { setImmediate } from 'node:timers/promises';
import type { BoundOperation } from '../core/operation.js';
import type { JsonSchema } from '../core/schema.js';
import type { BodyBudget } from './body-budget.js';
import { callerOrigin } from './caller-origin.js';
import { bodyLength } from './drain-request.js';
import { readListQuery } from './list-request.js';
import { parseBody, type ParsedBody, readBytes, type Validate } from './request-body.js';
import type { HttpExchange, RequestContext } from './request-context.js';

/** Limits of the input of calls. */
export interface InputDeps {
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum number of values in the JSON of a request body. */
  readonly bodyValues: number;
  /** Maximum size of a request body with YANG modules, if it is larger. */
  readonly yangBytes?: number;
  /** Maximum number of items of a list reply to a request without a limit; absent: 25. */
  readonly listLimit?: number;
}

/** The part of the state of a call that its input needs and sets. */
interface InputState {
  readonly operation: BoundOperation;
  readonly exchange: HttpExchange & { readonly query: URLSearchParams };
  readonly context: RequestContext;
  query: URLSearchParams;
  /** Text of the member that `keepsText` of the operation names. */
  bodyText?: string | undefined;
}

/** Validation of bodies, and the memory for bodies of callers without a token. */
interface BodyTools {
  readonly validate: Validate;
  readonly budget: BodyBudget;
}

/**
 * Reads and validates the input of a call: its body, or the query of a list. Throws the Problem of an invalid input, or rejects
 * with it.
 */
export function readCallInput(deps: InputDeps, tools: BodyTools, state: InputState): unknown {
  const { body: schema, list } = state.operation.row;
  if (list) return readList(deps, state);
  if (!schema) {
    // Clients may send bodies that the operation does not use. An unread body would hide the disconnect of
    // the client.
    state.exchange.req.resume();
    return undefined;
  }
  if (state.context.principal) return readValidBody(state, schema, { ...limitsOf(deps, state), tools });
  return readPublicBody(deps, state, { schema, tools });
}

/** Reads the body of a caller without a token, while memory is reserved for it. */
async function readPublicBody(
  deps: InputDeps,
  state: InputState,
  { schema, tools }: { readonly schema: JsonSchema; readonly tools: BodyTools },
): Promise<unknown> {
  const release = reserveBody(tools.budget, deps, state);
  try {
    const limits = { limit: publicLimit(deps), maxValues: deps.bodyValues };
    return await readValidBody(state, schema, { ...limits, tools });
  } finally {
    release();
  }
}

async function readList({ listLimit }: InputDeps, state: InputState): Promise<undefined> {
  state.query = await readListQuery(state.exchange, listLimit);
  return undefined;
}

/** Returns the valid body of a request, or a Promise of a body that has not arrived. Throws or rejects with its Problem. */
function readValidBody(
  state: InputState,
  schema: JsonSchema,
  { tools, ...limits }: BodyLimits & { readonly tools: BodyTools },
): unknown {
  const { exchange } = state;
  const { unparsed, form, bodyOptional: optional, keepsText, exactNumbers } = state.operation.row;
  const terms = { ...limits, form, optional, keepsText, exactNumbers };
  const toValid = ({ value, memberText }: ParsedBody): unknown => {
    state.bodyText = memberText;
    if (value !== undefined) tools.validate(schema, value);
    return value;
  };
  const toBody = (bytes: Buffer): unknown => {
    if (unparsed) return bytes;
    const parsed = parseBody(bytes, exchange, terms);
    const isLarge = bytes.length > MAX_TURN_BYTES || parsed instanceof Promise;
    return isLarge ? validLater(parsed, toValid) : toValid(parsed);
  };
  const bytes = readBytes(exchange, terms);
  return bytes instanceof Promise ? bytes.then(toBody) : toBody(bytes);
}

/** Size up to which a body is parsed, validated and used in one turn of the event loop, in bytes. */
const MAX_TURN_BYTES = 65_536;

/** Validates a parsed body in a turn of its own, so that other work can run before and after it. */
async function validLater(
  parsed: ParsedBody | Promise<ParsedBody>,
  toValid: (parsed: ParsedBody) => unknown,
): Promise<unknown> {
  const body = await parsed;
  await setImmediate();
  const valid = toValid(body);
  await setImmediate();
  return valid;
}

/** Limits of one body. */
interface BodyLimits {
  readonly limit: number;
  readonly maxValues: number;
  readonly maxCostly?: number;
}

/** How many times as many values a body with documents may have, such as forms and their data. */
const DOCUMENT_FACTOR = 8;
/** How many times as many of these may take several times as long as others. */
const COSTLY_FACTOR = 2;

function limitsOf(
  { bodyBytes, bodyValues, yangBytes = 0 }: InputDeps,
  { operation: { row } }: InputState,
): BodyLimits {
  return {
    limit: row.hasYangTexts ? Math.max(bodyBytes, yangBytes) : bodyBytes,
    maxValues: row.hasDocuments ? DOCUMENT_FACTOR * bodyValues : bodyValues,
    maxCostly: row.hasDocuments ? COSTLY_FACTOR * bodyValues : bodyValues,
  };
}

/** Maximum size of the body of a caller without a token, in bytes. */
const MAX_PUBLIC_BODY_BYTES = 16_384;

function publicLimit({ bodyBytes }: InputDeps): number {
  return Math.min(bodyBytes, MAX_PUBLIC_BODY_BYTES);
}

/** Reserves memory for the body of a caller without a token. Returns the function that releases the memory. */
function reserveBody(budget: BodyBudget, deps: InputDeps, { exchange: { req } }: InputState): () => void {
  const bytes = Math.min(bodyLength(req.headers), publicLimit(deps));
  return budget.reserve(callerOrigin(req).address, bytes);
}

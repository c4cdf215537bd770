import type { IncomingMessage } from 'node:http';
import type { BoundOperation, DescribedOperation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema } from '../../core/schema.js';
import { authorize, type AllowDeps } from '../../http/authorize.js';
import { problemOf, watchClient } from '../../http/client-disconnect.js';
import { limitCaller, type LimitDeps } from '../../http/limit-caller.js';
import { releaseUnsent } from '../../http/on-response.js';
import { createRefusalSampler } from '../../http/refusal-sampler.js';
import { createValidate, parseBody, readBytes } from '../../http/request-body.js';
import { createRequestContext, type HttpExchange, type RequestContext } from '../../http/request-context.js';
import { commonHeaders, type HttpResponse, jsonResponse } from '../../http/response.js';
import type { AuditDeps } from '../../http/with-audit.js';
import { send, sendFailure } from '../../http/write-response.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { countValues } from '../../json/json-pieces.js';
import { pointerToBigInt } from '../../json/write-json.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import { MCP_OPERATION, MCP_PATH, type McpSettings } from '../../settings/mcp.js';
import type { IssuerSettings } from '../../settings/settings.js';
import { type ApprovalDeps, callTool, type CallToolDeps, listTools, type ServedCall } from './call-tool.js';
import { requireOwnSite, serverOriginOf, type SiteSettings } from './caller-site.js';
import type { ExchangeMessage, McpReply } from './exchange-message.js';
import { createMethodTools } from './method-tools.js';
import type { MethodSource } from './offered-methods.js';
import { resourceMetadata, withChallenge } from './resource-metadata.js';
import { createTools, type Tool } from './tools.js';

export interface McpHandlerDeps extends AllowDeps, AuditDeps, LimitDeps, ApprovalDeps {
  readonly operations: readonly BoundOperation[];
  readonly compile: CompileSchema;
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum number of values in the JSON of a request body. */
  readonly bodyValues: number;
  readonly settings: McpSettings;
  /** Returns the names of the server, and the trusted issuers, of the current configuration. */
  readonly site: () => SiteSettings & { readonly issuers: readonly Pick<IssuerSettings, 'issuer'>[] };
  readonly exchange: ExchangeMessage;
  /** Where the methods of adapters come from. */
  readonly methods: MethodSource;
}

interface McpHandler {
  /** Returns true for a request to `/mcp`, or to the metadata of the protected resource. */
  readonly isFor: (req: IncomingMessage) => boolean;
  /** Serves one request until its response ends. Never rejects. */
  readonly serve: (exchange: HttpExchange) => Promise<void>;
}

/** The entrance itself; each tool also has the roles of its operation. */
const ENTRANCE: DescribedOperation = {
  name: MCP_OPERATION,
  paths: [MCP_PATH],
  row: {
    id: 'exchange',
    summary: 'Exchange a message of the Model Context Protocol.',
    method: 'POST',
    path: MCP_PATH,
    roles: 'authenticated',
    reply: {},
  },
  applicationSummary: 'Tools for agents.',
};

const PATHS = /^\/(?:mcp|\.well-known\/oauth-protected-resource(?:\/mcp)?)\/?(?:\?|$)/;

/**
 * Creates the handler of `/mcp` (Streamable HTTP of the Model Context Protocol, without sessions). Its steps are: check
 * host and origin, authorize, read the message, count it for limits, exchange it, respond. A tool call runs through the steps of an HTTP call of
 * its operation. It has one access line and one metric: those of the operation.
 */
export function createMcpHandler(input: McpHandlerDeps): McpHandler {
  const { settings, operations, compile } = input;
  const deps: EntranceDeps = {
    ...input,
    refusals: createRefusalSampler(),
    validate: createValidate(compile),
    maxResultBytes: settings.maxResultBytes,
    tools: createTools(operations, settings),
    methodTools: createMethodTools({ ...input.methods, settings, call: callOf(operations) }),
  };
  return {
    isFor: ({ url = '' }) => PATHS.test(url),
    async serve(exchange) {
      const context = createRequestContext(deps, exchange, ENTRANCE);
      const served: ServedCall = { context };
      context.held = served;
      const { signal, release } = watchClient(exchange.req);
      try {
        const response = await respond(deps, served, signal);
        await send(deps, served.context, response);
      } catch (error) {
        await sendFailure(deps, context, problemOf(error, signal));
      } finally {
        release();
        releaseUnsent(served.context);
      }
    },
  };
}

function callOf(operations: readonly BoundOperation[]): BoundOperation {
  const call = operations.find(({ name }) => name === CALL_BY_NAME);
  if (!call) throw new Error(`there is no operation ${CALL_BY_NAME}`);
  return call;
}

type EntranceDeps = McpHandlerDeps & CallToolDeps;

/** Returns the response. Throws the Problem of a refused request, with a challenge unless its host or origin is wrong. */
async function respond(deps: EntranceDeps, served: ServedCall, signal: CancelSignal): Promise<HttpResponse> {
  const { context } = served;
  const site = deps.site();
  requireOwnSite(context.req, site);
  const origin = serverOriginOf(context.req, site.publicUrl);
  try {
    const metadata = resourceMetadata(context.path.replace(/\/$/, ''), origin, site.issuers);
    if (metadata) return metadataResponse(context, metadata);
    requireMethod(context.req, ['POST']);
    await authorize(deps, ENTRANCE, context);
    return await exchangeBody(deps, served, { signal, origin });
  } catch (error) {
    throw withChallenge(problemOf(error, signal), origin);
  }
}

function metadataResponse({ req, requestId }: RequestContext, body: object): HttpResponse {
  requireMethod(req, ['GET', 'HEAD']);
  req.resume();
  return jsonResponse({ body }, requestId);
}

/** Throws `method_not_allowed` unless the request has one of the methods. */
function requireMethod({ method = '' }: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(', ');
  throw new Problem('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } });
}

interface ExchangeTerms {
  readonly signal: CancelSignal;
  readonly origin: string;
}

/** Reads the message, and returns its response. A caller without the role of a tool gets 403 with a challenge. */
async function exchangeBody(
  deps: EntranceDeps,
  served: ServedCall,
  { signal, origin }: ExchangeTerms,
): Promise<HttpResponse> {
  const { context } = served;
  const { req, requestId } = context;
  const parsed = await readMessage(context, deps).catch(parseErrorOf);
  const tool = 'body' in parsed ? await calledTool(deps, parsed, signal) : undefined;
  if (!tool) served.endCall = await limitCaller(deps, ENTRANCE, context);
  if ('error' in parsed) return replyResponse(errorReply(parsed.error, parsed.id), requestId);
  const { body, sent } = parsed;
  const message = { url: origin + MCP_PATH, headers: protocolHeaders(req), body };
  const reply = await deps.exchange(message, {
    list: (cursor) => listTools(deps, context, { cursor, signal }),
    call: (name) =>
      tool?.description.name === name ? callTool(deps, served, { tool, sent, signal, origin }) : undefined,
  });
  const { problem } = served;
  if (problem?.code !== 'forbidden') return { ...replyResponse(reply, requestId), ...recordedOf(served) };
  const error = { status: 403, code: RPC_CODES.forbidden, message: problem.message };
  const denied = replyResponse(errorReply(error, ownMember(body, 'id')), requestId);
  const { headers } = withChallenge(problem, origin).extras;
  return { ...denied, headers: { ...denied.headers, ...headers }, ...recordedOf(served) };
}

/** A message to exchange without the arguments of its tool, and these; or the error that is its response. */
type ParsedMessage =
  | { readonly body: unknown; readonly sent: JsonObject }
  | { readonly error: RpcError; readonly id?: unknown };

async function readMessage(
  context: RequestContext,
  { bodyBytes: limit, bodyValues: maxValues }: EntranceDeps,
): Promise<ParsedMessage> {
  const bytes = await readBytes(context, { limit });
  const { value } = await parseBody(bytes, context, { maxValues, exactNumbers: true });
  return messageOf(value);
}

/** Returns a parse error in place of the Problem of a body that is not JSON; rethrows all other errors. */
function parseErrorOf(problem: unknown): ParsedMessage {
  if (!(problem instanceof Problem) || problem.code !== 'invalid_json') throw problem;
  return { error: { status: 400, code: RPC_CODES.parseError, message: problem.message } };
}

/** Returns the message, or an error for one that this server does not serve although the SDK would. */
function messageOf(body: unknown): ParsedMessage {
  if (Array.isArray(body)) {
    const message = 'Batches are not supported. Send one message in each request.';
    return { error: { status: 400, code: RPC_CODES.invalidRequest, message } };
  }
  const id = ownMember(body, 'id');
  // The response to this method would never end. The tools change only with a restart or with the roles of the caller.
  if (ownMember(body, 'method') === 'subscriptions/listen') {
    const error = {
      status: 404,
      code: RPC_CODES.methodNotFound,
      message: 'The server has no subscriptions.',
    };
    return { error, id };
  }
  const message = withoutArguments(body);
  const long = pointerToBigInt(message.body);
  if (long !== undefined) {
    const detail = `${long} is a number with more digits than can be kept; send it as a string`;
    return { error: { status: 400, code: RPC_CODES.invalidRequest, message: detail }, id };
  }
  if (countValues(message.body, MAX_MESSAGE_VALUES) <= MAX_MESSAGE_VALUES) return message;
  const detail = `A message may have ${MAX_MESSAGE_VALUES} members and items besides the arguments of a tool. Send a smaller _meta.`;
  return { error: { status: 400, code: RPC_CODES.invalidRequest, message: detail }, id };
}

/** Maximum number of values of a message, without the arguments of a tool. The SDK takes a hundred times as long for a value as the parser. */
const MAX_MESSAGE_VALUES = 500;

/** Returns a message with empty arguments, which the schema of the tool validates, and the arguments. */
function withoutArguments(body: unknown): { readonly body: unknown; readonly sent: JsonObject } {
  const params = ownMember(body, 'params');
  const sent = ownMember(params, 'arguments');
  if (!isJsonObject(body) || !isJsonObject(params) || !isJsonObject(sent)) return { body, sent: {} };
  return { body: { ...body, params: { ...params, arguments: {} } }, sent };
}

/**
 * Returns the tool of a call of an offered tool, which counts for the limits of its operation. Every other message counts as
 * {@link MCP_OPERATION}.
 */
async function calledTool(
  { tools, methodTools }: EntranceDeps,
  { body, sent }: { readonly body: unknown; readonly sent: JsonObject },
  signal: CancelSignal,
): Promise<Tool | undefined> {
  const name = ownMember(ownMember(body, 'params'), 'name');
  const isCall = ownMember(body, 'method') === 'tools/call' && ownMember(body, 'id') !== undefined;
  if (!isCall || typeof name !== 'string') return undefined;
  return tools.get(name) ?? (await methodTools.find(name, sent, signal));
}

/** Headers that the protocol defines. The credentials of the caller are not among them. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

function protocolHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PROTOCOL_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

function replyResponse({ status, contentType, bytes }: McpReply, requestId: string): HttpResponse {
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const headers = { ...commonHeaders(requestId), 'content-length': String(bytes.length), ...type };
  return { status, headers, body: bytes };
}

function recordedOf({ recorded }: ServedCall): Pick<HttpResponse, 'recorded'> {
  return recorded ? { recorded } : {};
}

/** An error of JSON-RPC (JSON-RPC 2.0 section 5.1) with the status of its response. */
interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Codes of JSON-RPC 2.0 section 5.1. The codes from -32000 to -32099 are for servers. */
const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  forbidden: -32_003,
} as const;

/** Returns the response to a message with this id; an id that is neither a text nor a number becomes null. */
function errorReply({ status, code, message }: RpcError, id: unknown): McpReply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const body = { jsonrpc: '2.0', id: known, error: { code, message } };
  return { status, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
}

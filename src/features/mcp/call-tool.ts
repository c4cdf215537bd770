import type { RequireCallAccess } from '../../core/access-decision.js';
import type { BoundOperation, Call, Reply } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { type AllowDeps, requireAdmission } from '../../http/authorize.js';
import { problemOf } from '../../http/client-disconnect.js';
import type { LimitDeps } from '../../http/limit-caller.js';
import { logFailure } from '../../http/log-failure.js';
import { releaseHeld } from '../../http/on-response.js';
import { type CallState, runOperation } from '../../http/pipeline.js';
import type { Validate } from '../../http/request-body.js';
import { type HeldByCall, requestLogFields, type RequestContext } from '../../http/request-context.js';
import { type HttpResponse, problemResponse } from '../../http/response.js';
import type { WithAuditDeps } from '../../http/with-audit.js';
import type { JsonObject } from '../../json/json-object.js';
import { pointerToBigInt } from '../../json/write-json.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { MCP_PATH } from '../../settings/mcp.js';
import type { BindCall } from '../adapters/method-list.js';
import type { Approvals, ProposalState, ProposedCall } from '../tasks/approval.js';
import type { MethodTools } from './method-tools.js';
import { type ToolResult, toToolResult } from './tool-result.js';
import { pathOf, readArguments, type Tool, type ToolDescription, APPROVAL } from './tools.js';

/** What calls need that a person approves. */
export interface ApprovalDeps {
  readonly approvals: Approvals;
  readonly requireCallAccess: RequireCallAccess;
  readonly bindCall: BindCall;
}

export interface CallToolDeps extends AllowDeps, WithAuditDeps, LimitDeps, ApprovalDeps {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly methodTools: MethodTools;
  readonly validate: Validate;
  /** Maximum size of the text of a result, in bytes. */
  readonly maxResultBytes: number;
}

/** A request to the entrance, and what became of the tool call that it contains. */
export interface ServedCall extends HeldByCall {
  /** Context for the access line and the audit record: of the operation, once a tool is called. */
  context: RequestContext;
  /** Result of the operation, which the access line and the metrics show. */
  recorded?: HttpResponse['recorded'];
  /** Why the operation refused the call. */
  problem?: Problem;
}

/** One page of the tools; `nextCursor` is absent on the last page. */
export interface ToolPage {
  readonly tools: readonly ToolDescription[];
  readonly nextCursor?: string;
}

/** Number of tools on a page. Some clients read the first one alone. */
const PAGE = 200;

/**
 * Returns a page of the tools that the caller may call at this moment, by the check of a call. The cursor is the name of the last tool
 * of the page before. Returns undefined if there is no such tool any more.
 */
export async function listTools(
  deps: Pick<CallToolDeps, 'tools' | 'methodTools' | 'rolesOf' | 'isRunning'>,
  { principal }: Pick<RequestContext, 'principal'>,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: CancelSignal },
): Promise<ToolPage | undefined> {
  const ofMethods = await deps.methodTools.list(principal, signal);
  const all = [...deps.tools.values(), ...ofMethods]
    .filter(({ operation }) => isAdmitted(deps, operation, principal))
    .map(({ description }) => description);
  const before = all.findIndex(({ name }) => name === cursor);
  if (cursor !== undefined && before < 0) return undefined;
  const tools = all.slice(before + 1, before + 1 + PAGE);
  const last = tools.at(-1);
  return { tools, ...(last && last !== all.at(-1) && { nextCursor: last.name }) };
}

function isAdmitted(...check: Parameters<typeof requireAdmission>): boolean {
  try {
    requireAdmission(...check);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

interface ToolCall {
  readonly tool: Tool;
  readonly sent: JsonObject;
  readonly signal: CancelSignal;
  /** Origin of the server, for addresses in results. */
  readonly origin: string;
}

/**
 * Calls a tool for the caller of a request: runs its operation as an HTTP call does. A Problem of the operation is a result
 * that says so.
 */
export async function callTool(
  deps: CallToolDeps,
  served: ServedCall,
  { tool, sent, signal, origin }: ToolCall,
): Promise<ToolResult> {
  const { traits } = tool;
  const input = readArguments(tool, sent);
  const { approval } = input;
  const operation = boundOperationOf(deps, tool, { sent, approval, origin });
  const context = toolContext(served.context, tool, input.params);
  served.context = context;
  const { req, res } = context;
  const { params, query } = input;
  const state: CallState = { operation, exchange: { req, res, params, query }, context, signal, query };
  const limits = { maxBytes: deps.maxResultBytes, narrow: traits.narrow };
  served.onEnd = () => {
    releaseHeld(state);
  };
  try {
    const response = await runOperation(deps, state, () => validInput(deps, state, { tool, sent }));
    const result = await toToolResult(response, limits);
    const [text] = result.content;
    served.recorded = { status: response.status, body: Buffer.from(text?.text ?? '') };
    return result;
  } catch (error) {
    const problem = problemOf(error, signal);
    served.problem = problem;
    logFailure(deps.log, requestLogFields(context), problem);
    const { path: instance, requestId } = context;
    const response = problemResponse(problem, { instance, requestId, redact: deps.redact });
    served.recorded = response;
    return toToolResult(response, limits);
  }
}

/** Returns the operation, or the one that asks a person first. */
function boundOperationOf(
  deps: CallToolDeps,
  tool: Tool,
  terms: Pick<ToolCall, 'sent' | 'origin'> & { readonly approval: unknown },
): BoundOperation {
  const { operation, isApproved } = tool;
  if (!isApproved) return operation;
  return approvedOperation(tool, { deps, roles: deps.rolesOf(operation), ...terms });
}

/**
 * Returns the context of the operation of a tool call. The path says that the call came through this entrance; the audit
 * record and the access line have it.
 */
function toolContext(
  context: RequestContext,
  tool: Tool,
  params: Readonly<Record<string, string>>,
): RequestContext {
  const { name, component, paths } = tool.operation;
  return {
    ...context,
    path: MCP_PATH + pathOf(tool, { params }),
    operation: name,
    application: component,
    route: paths[0],
    adapter: params['adapterId'] ?? '',
  };
}

/** Throws `invalid_request` for a number that would lose digits, unless the operation keeps them. */
function requireKnownDigits({ operation: { row } }: Tool, body: JsonObject | undefined): void {
  const pointer = row.exactNumbers || row.keepsText !== undefined ? undefined : pointerToBigInt(body);
  if (pointer === undefined) return;
  const message = 'is a number with more digits than can be kept; send it as a string';
  throw new Problem('invalid_request', `${pointer} ${message}.`, { errors: [{ pointer, message }] });
}

/**
 * Validates the arguments against the schema of the tool, which adds its defaults. Returns the body, and puts the query into
 * the state. Throws `invalid_request` with every violation.
 */
function validInput(
  { validate }: CallToolDeps,
  state: CallState,
  { tool, sent }: { readonly tool: Tool; readonly sent: JsonObject },
): unknown {
  // The operation validates the arguments of a method.
  if (!tool.read) validate(tool.description.inputSchema, sent);
  const { query, body } = readArguments(tool, sent);
  requireKnownDigits(tool, body);
  state.query = query;
  return body;
}

interface ApprovalTerms {
  readonly deps: ApprovalDeps;
  readonly roles: AllowedRoles;
  /** Arguments of the tool. */
  readonly sent: JsonObject;
  /** Argument that redeems an approval. */
  readonly approval: unknown;
  /** Origin of the server, for the address of the task. */
  readonly origin: string;
}

/**
 * Returns the operation of a tool whose calls a person approves. It proposes the call, or reports the state of its proposal;
 * only an approved call is carried out, once. Everything else of the operation stays: its roles, its body, its audit record.
 */
function approvedOperation(tool: Tool, terms: ApprovalTerms): BoundOperation {
  return { ...tool.operation, handle: (call) => handleProposal(tool, call, terms) };
}

async function handleProposal(
  { operation, propose, method, traits }: Tool,
  call: Call,
  {
    deps: { approvals, requireCallAccess, bindCall },
    roles,
    sent: { [APPROVAL]: _approval, ...sent },
    approval,
    origin,
  }: ApprovalTerms,
): Promise<Reply> {
  const { name, row } = operation;
  const through = traits.addressedCall?.(call);
  if (!through) throw new Error(`${name} has no call that a person could approve`);
  requireCallAccess(through, call.principal);
  const asked = propose ? propose(call) : { summary: row.summary, sent };
  const binding = await bindCall(through.adapterId, call.principal, method);
  const proposed: ProposedCall = { operation: name, roles, call, through, binding, ...asked };
  if (typeof approval !== 'string') {
    const state = await approvals.propose(proposed);
    return { body: replyOf(state, origin).body, outcome: `proposed in task ${state.taskId}` };
  }
  const state = await approvals.redeem(proposed, approval);
  if (state.status !== 'approved') return replyOf(state, origin);
  // The adapter may be replaced while the call waits for it.
  const reply = await operation.handle({ ...call, bound: binding });
  return { ...reply, outcome: `${reply.outcome ?? ''} approved in task ${state.taskId}`.trim() };
}

/** Returns the state as the result of the call. An undecided state is not recorded, because the proposal was. */
function replyOf(state: Exclude<ProposalState, { status: 'approved' }>, origin: string): Reply {
  if (state.status === 'rejected')
    return {
      body: {
        status: 'rejected',
        reason: state.reason,
        next: 'The call was not carried out. Do not repeat it.',
      },
      outcome: `rejected in task ${state.taskId}`,
    };
  const { path, approval } = state;
  return {
    body: {
      status: 'input_required',
      task: origin + path,
      approval,
      next: 'The call was not carried out yet. Give the address of the task to a person. After that person has approved it, call the tool again with the same arguments and with this approval.',
    },
    didNothing: true,
  };
}

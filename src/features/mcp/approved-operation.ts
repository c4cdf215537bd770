import type { BoundOperation, Call, Reply } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import type { JsonObject } from '../../json/json-object.js';
import type { Approvals, ProposalState, ProposedCall } from '../tasks/approval.js';
import { APPROVAL, type Tool } from './tools.js';

interface ApprovalTerms {
  readonly approvals: Approvals;
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
export function approvedOperation(tool: Tool, terms: ApprovalTerms): BoundOperation {
  return { ...tool.operation, handle: (call) => handleProposal(tool, call, terms) };
}

async function handleProposal(
  { operation, propose }: Tool,
  call: Call,
  { approvals, roles, sent: { [APPROVAL]: _approval, ...sent }, approval, origin }: ApprovalTerms,
): Promise<Reply> {
  const { name, row } = operation;
  const asked = propose ? propose(call) : { summary: row.summary, sent };
  const proposed: ProposedCall = { operation: name, roles, call, ...asked };
  if (typeof approval !== 'string') {
    const state = await approvals.propose(proposed);
    return { body: replyOf(state, origin).body, outcome: `proposed in task ${state.taskId}` };
  }
  const state = await approvals.redeem(proposed, approval);
  if (state.status !== 'approved') return replyOf(state, origin);
  const reply = await operation.handle(call);
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

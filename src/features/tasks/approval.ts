import type { AddressedCall } from '../../core/access-decision.js';
import type { CallBinding } from '../../core/adapter-method.js';
import type { Call } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import type { JsonSchema } from '../../core/schema.js';
import type { JsonObject } from '../../json/json-object.js';

/** A form that shows the arguments of a proposed call. */
interface ProposedForm {
  readonly schema: JsonSchema;
  readonly data: JsonObject;
}

/** A call that a person must approve before it is carried out. */
export interface ProposedCall {
  readonly operation: string;
  /** Name of what is called, for the title of the task; absent: the operation. */
  readonly title?: string;
  /** Sentence that says what the operation does. */
  readonly summary: string;
  /** Roles that may call the operation: their holders see the task. The access rules decide who of them may approve the call. */
  readonly roles: AllowedRoles;
  readonly through: AddressedCall;
  /** The adapter and the method at this moment. */
  readonly binding: CallBinding;
  /** Arguments of the call, valid and with defaults. */
  readonly sent: JsonObject;
  /** The arguments as a form; absent: the person reads them as JSON alone. */
  readonly form?: ProposedForm | undefined;
  readonly call: Call;
}

/** A proposal that waits for a person. */
export interface OpenProposal {
  readonly status: 'open';
  readonly taskId: string;
  /** Path of the page on which a person decides. */
  readonly path: string;
  /** Sealed text that only the proposer can redeem, with the same arguments, once. */
  readonly approval: string;
}

export type ProposalState =
  | OpenProposal
  | { readonly status: 'approved'; readonly taskId: string }
  | { readonly status: 'rejected'; readonly taskId: string; readonly reason: string };

/** Asks people to approve calls. */
export interface Approvals {
  /** Opens a task that shows the call. Throws the Problems of a new task, for example `too_many_tasks`. */
  readonly propose: (proposed: ProposedCall) => Promise<OpenProposal>;
  /**
   * Returns the state of a proposal. The state `approved` is returned once: the call must then be carried out. Throws
   * `invalid_request` for a text that was not sealed for this caller, operation and arguments, or that has expired,
   * `proposal_outdated` if the adapter or the method has changed, or the approver may not call it any more, and `task_finished` for a
   * text that was used.
   */
  readonly redeem: (proposed: ProposedCall, approval: string) => Promise<ProposalState>;
}

import { createHash } from 'node:crypto';
import { outdatedProposal } from '../../adapters/call-binding.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { callerName, type Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { canonicalJson } from '../../json/canonical-json.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { withinLimit } from '../forms/form.js';
import { IF_MATCH, REVISION, revisionTag, seenRevision } from '../lib/revision-tag.js';
import type { TasksDeps } from './deps.js';
import { type ChangeStamp, draftChanges } from './draft-changes.js';
import { isPartialAsked, taskFormQuerySchema } from './partial-schema.js';
import { withReadOnlyMembers } from './read-only-members.js';
import { invalidMember, requireAccess, taskNotFound, taskReply, taskSchema } from './task-reply.js';
import { type Task, isRequester } from './task.js';
import { requireValidResult, validateTaskData } from './validate-data.js';

/**
 * Returns the task if it is open and at the revision that the caller saw. Throws `task_finished` and
 * `precondition_failed`.
 */
function requireOpenTask(task: Task, seen: number | undefined): Task {
  const { outcome, revision } = task;
  if (outcome)
    throw new Problem(
      'task_finished',
      `The task was ${outcome.status} by ${outcome.byName ?? outcome.by} at ${outcome.at}, and cannot change.`,
    );
  if (seen === undefined || seen === revision) return task;
  throw new Problem(
    'precondition_failed',
    `The task is at revision ${revision}; it was changed since it was read.`,
    { headers: revisionTag(task) },
  );
}

/** A request to change a task, with its query and its `If-Match`. */
interface ChangeRequest<Body> {
  readonly call: Call<Body>;
  readonly isPartial: boolean;
  /** Revision that the caller saw; undefined without `If-Match`. */
  readonly seen: number | undefined;
}

/** Reads a request before anything is checked or changed. Throws `invalid_request` and `precondition_failed`. */
function readChange<Body>(call: Call<Body>): ChangeRequest<Body> {
  return { call, isPartial: isPartialAsked(call.query), seen: seenRevision(call) };
}

/**
 * Changes the task of a call if the task is open and at the revision that the caller saw. Throws
 * `task_not_found`, `task_finished`, `precondition_failed` (with the current revision in `ETag`) and
 * `body_too_large`.
 */
async function changeTask(
  { call, isPartial, seen }: ChangeRequest<unknown>,
  deps: TasksDeps,
  change: (task: Task, stamp: ChangeStamp) => Partial<Task>,
): Promise<Reply & { readonly change: NonNullable<Reply['change']> }> {
  const { id = '' } = call.params;
  const { principal } = call;
  const { maxBytes, ...quotas } = deps.taskLimits();
  const { subject: by = '', issuer: byIssuer = '' } = principal ?? {};
  const byName = principal ? callerName(principal) : '';
  const stamp = { by, byIssuer, byName, at: new Date(deps.now()).toISOString() };
  let before: Task | undefined;
  const apply = (task: Task): Task => {
    before = requireOpenTask(requireAccess(task, principal), seen);
    const changed = {
      lastUpdated: stamp.at,
      lastUpdatedBy: by,
      lastUpdatedByIssuer: byIssuer,
      lastUpdatedByName: byName,
    };
    return withinLimit({ ...task, ...change(task, stamp), ...changed }, { maxBytes, what: 'task' });
  };
  const updated = await deps.tasks.update(id, apply, quotas);
  if (!updated) throw taskNotFound(id);
  deps.taskEvents.publish(updated);
  return { ...taskReply(updated, isPartial, deps), change: { before, after: updated } };
}

const draftRequestSchema = {
  title: 'Draft of a task',
  type: 'object',
  required: ['formData'],
  additionalProperties: false,
  properties: { formData: { description: 'Any JSON value; a draft is not validated' } },
} as const;

export const saveTaskDraft: Operation<TasksDeps, FromSchema<typeof draftRequestSchema>> = {
  id: 'saveTaskDraft',
  summary: 'Save the draft of a task.',
  description:
    'Stores the current input of a person in an open task, without a validation, and who changed which field. Read-only members keep the values of the requester. A proposed call has no drafts.',
  problems: ['task_not_found', 'task_finished', 'precondition_failed', 'proposal_fixed'],
  requestHeaders: IF_MATCH,
  method: 'PUT',
  path: '/tasks/:id/draft',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  body: draftRequestSchema,
  exactNumbers: true,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) =>
    changeTask(readChange(call), deps, (task, stamp) => {
      if (task.proposal) throw fixedProposal(task, 'has no drafts');
      const { draft, formData: initial } = task;
      const formData = withReadOnlyMembers(call.body.formData, task);
      const changes = draftChanges(draft ?? { formData: initial }, formData, stamp);
      return { draft: { formData, ...stamp, changes } };
    }),
};

/** Creates the Problem of a change of the texts that describe a proposed call to the person who approves it. */
function fixedProposal({ id }: Task, what: string): Problem {
  return new Problem('proposal_fixed', `The task "${id}" approves a call, and ${what}.`);
}

/** Maximum length of a reason, in characters. */
const MAX_REASON_LENGTH = 2000;

const outcomeRequestSchema = {
  title: 'Outcome of a task',
  type: 'object',
  required: ['outcome'],
  additionalProperties: false,
  properties: {
    outcome: { enum: ['approved', 'rejected'] },
    formData: { description: 'The data; an approval requires valid data' },
    reason: {
      type: 'string',
      maxLength: MAX_REASON_LENGTH,
      description: 'The reason; a rejection requires a reason',
    },
  },
} as const;

type OutcomeBody = FromSchema<typeof outcomeRequestSchema>;

/**
 * Finishes a task, once. An approval requires data that matches the schema and its YANG rules; otherwise
 * throws `form_data_invalid` and stores nothing. A rejection requires a reason.
 */
export const finishTask: Operation<TasksDeps, OutcomeBody> = {
  id: 'finishTask',
  summary: 'Approve or reject a task, which cannot change afterwards.',
  description:
    'Stores the decision on an open task, which then cannot change. An approval needs valid data, and a rejection needs a reason. To approve a call of an agent, the caller must be admitted to the call itself.',
  problems: [
    'task_not_found',
    'task_finished',
    'precondition_failed',
    'requester_excluded',
    'adapter_forbidden',
    'adapter_not_found',
    'proposal_fixed',
    'proposal_outdated',
    'form_data_invalid',
    'schema_too_costly',
    'validation_busy',
  ],
  requestHeaders: IF_MATCH,
  method: 'POST',
  path: '/tasks/:id/outcome',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  body: outcomeRequestSchema,
  exactNumbers: true,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { outcome } }) => outcome,
  async handle(call, deps) {
    const { outcome: status, formData = null, reason = '' } = call.body;
    requireOutcomeMembers(call.body);
    const request = readChange(call);
    if (status === 'approved') await requireValidApproval(request, deps);
    const hash = createHash('sha256').update(canonicalJson(formData)).digest('hex');
    const approverRoles = call.principal?.roles ?? [];
    const reply = await changeTask(request, deps, ({ proposal }, stamp) => ({
      status,
      draft: null,
      outcome: { status, reason, export: formData, ...stamp, hash },
      ...(proposal && status === 'approved' && { proposal: { ...proposal, approverRoles } }),
    }));
    return { ...reply, outcome: status };
  },
};

/** Throws `invalid_request` for an approval without data and a rejection without a reason. */
function requireOutcomeMembers({ outcome, reason = '', ...rest }: OutcomeBody): void {
  if (outcome === 'approved' && !('formData' in rest))
    throw invalidMember('/formData', 'is needed to approve');
  if (outcome === 'rejected' && reason.trim() === '') throw invalidMember('/reason', 'is needed to reject');
}

/**
 * Throws `requester_excluded` if the caller opened the task, and its requester may not approve it. For a proposed call, throws what the
 * same call of the approver would throw, also for an admin.
 */
function requireApprover(task: Task, { principal }: Call, deps: TasksDeps): void {
  requireOwnAccess(task, principal, deps);
  const isExcluded = task.excludeRequester || deps.taskLimits().excludeRequester;
  if (!isExcluded || !isRequester(task, principal)) return;
  throw new Problem(
    'requester_excluded',
    `You opened the task "${task.id}", and may not approve it yourself.`,
  );
}

/** Throws `forbidden`, `adapter_not_found` or `adapter_forbidden` for an approver who may not send the proposed call. */
function requireOwnAccess({ proposal }: Task, principal: Principal | undefined, deps: TasksDeps): void {
  if (!proposal) return;
  if (!proposal.call) throw outdatedProposal('An earlier version of gatehouse opened the task.');
  deps.requireCallAccess(proposal.call, principal);
}

/**
 * Checks the approver and validates the data. The requester and the schema of a task never change, so the
 * result still holds when the outcome is stored.
 */
async function requireValidApproval(
  { call, seen }: ChangeRequest<OutcomeBody>,
  deps: TasksDeps,
): Promise<void> {
  const { id = '' } = call.params;
  const task = await deps.tasks.find(id);
  if (!task) throw taskNotFound(id);
  requireAccess(task, call.principal);
  const { view, schema, proposal } = requireOpenTask(task, seen);
  requireApprover(task, call, deps);
  const { formData } = call.body;
  if (proposal && canonicalJson(formData ?? null) !== canonicalJson(task.formData))
    throw fixedProposal(task, 'an approval of other texts approves nothing');
  requireValidResult(await validateTaskData({ view, schema, formData }, deps, call));
}

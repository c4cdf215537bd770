import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/canonical-json.js';
import type { Call, Operation } from '../../../core/operation.js';
import { REVISION, seenRevision } from '../../../core/revision-tag.js';
import type { TaskOutcome } from '../../../core/task.js';
import { changeTask, demandOpen } from './change-task.js';
import type { TasksDeps } from './deps.js';
import { invalidMember } from './invalid-member.js';
import { demandValid, validateData } from './validate-data.js';
import { noSuchTask } from './task-reply.js';
import { taskSchema } from './task-schema.js';

interface OutcomeBody {
  readonly outcome: TaskOutcome['status'];
  readonly formData?: unknown;
  readonly reason?: string;
}

/** Maximum length of a reason, in characters. */
const REASON_LENGTH = 2000;

const requestSchema = {
  title: 'Outcome of a task',
  type: 'object',
  required: ['outcome'],
  additionalProperties: false,
  properties: {
    outcome: { enum: ['approved', 'rejected'] },
    formData: { description: 'The data; needed, and valid, to approve' },
    reason: { type: 'string', maxLength: REASON_LENGTH, description: 'Why; needed to reject' },
  },
} as const;

/**
 * Finishes a task, once. An approval requires data that matches the schema and its YANG rules; otherwise
 * throws `form_data_invalid` and stores nothing. A rejection requires a reason.
 */
export const finishTask: Operation<TasksDeps, OutcomeBody> = {
  id: 'finishTask',
  summary: 'Approve or reject a task, which cannot change afterwards.',
  method: 'POST',
  path: '/tasks/:id/outcome',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { outcome } }) => outcome,
  async handle(call, deps) {
    const { outcome: status, formData = null, reason = '' } = call.body;
    demandWhole(call.body);
    if (status === 'approved') await demandFit(call, deps);
    const hash = createHash('sha256').update(canonicalJson(formData)).digest('hex');
    const reply = await changeTask(call, deps, (_task, hand) => ({
      status,
      draft: null,
      outcome: { status, reason, export: formData, ...hand, hash },
    }));
    return { ...reply, outcome: status };
  },
};

/** Throws `invalid_request` for an approval without data and a rejection without a reason. */
function demandWhole({ outcome, reason = '', ...rest }: OutcomeBody): void {
  if (outcome === 'approved' && !('formData' in rest))
    throw invalidMember('/formData', 'is needed to approve');
  if (outcome === 'rejected' && reason.trim() === '') throw invalidMember('/reason', 'is needed to reject');
}

/**
 * Validates the data. The schema of a task never changes, so the result still holds when the outcome is
 * stored.
 */
async function demandFit(call: Call<OutcomeBody>, deps: TasksDeps): Promise<void> {
  const { id = '' } = call.params;
  const task = await deps.tasks.find(id);
  if (!task) throw noSuchTask(id);
  const { view, schema } = demandOpen(task, seenRevision(call));
  const { formData } = call.body;
  demandValid(await validateData({ view, schema, formData }, deps, call.signal));
}

import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';

interface DeleteFormsBody {
  readonly ids: readonly string[];
}

const requestSchema = {
  title: 'Forms to delete',
  type: 'object',
  required: ['ids'],
  additionalProperties: false,
  properties: { ids: { type: 'array', items: { type: 'string' }, description: 'Ids of forms' } },
} as const;

const replySchema = {
  title: 'Deleted forms',
  type: 'object',
  required: ['status', 'n', 'deleted'],
  properties: {
    status: { const: 'success' },
    n: { type: 'integer', description: 'Forms that were deleted' },
    deleted: { type: 'integer', description: 'The same' },
  },
} as const;

/** Pattern of form ids. */
const ID = /^[0-9a-f]{24}$/;

/**
 * Deletes forms by their ids with their previous states; ignores unknown ids (specification 4.4, wire 4.6).
 */
export const deleteForms: Operation<JsonFormsDeps, DeleteFormsBody> = {
  id: 'deleteForms',
  summary: 'Delete JSON forms by their ids.',
  method: 'DELETE',
  path: '/forms',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  target: ({ body: { ids } }) => ids.join(' '),
  async handle({ body: { ids } }, { forms }) {
    const deleted = await forms.remove(ids.filter((id) => ID.test(id)));
    return { body: { status: 'success', n: deleted, deleted }, outcome: String(deleted) };
  },
};

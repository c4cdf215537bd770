import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { type FormFields, newForm } from './form.js';
import { formSchema, newFormSchema } from './form-schema.js';

const replySchema = {
  title: 'Created form',
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['success', 'failure'] },
    n: { type: 'integer', description: 'Forms that were created: 1' },
    doc: formSchema,
    message: { type: 'string', description: 'Why there is none' },
  },
} as const;

/** Status and text that clients of the platform check (wire 4.2). */
const NAME_TAKEN = { status: 'failure', message: 'JSON form with this name already exists' };

/** Creates a form with a unique name (specification 4.4, wire 4.2). */
export const createForm: Operation<JsonFormsDeps, FormFields> = {
  id: 'createForm',
  summary: 'Create a JSON form with a unique name.',
  method: 'POST',
  path: '/forms',
  roles: ['admin'],
  body: newFormSchema,
  reply: replySchema,
  audited: true,
  target: ({ body: { name = '' } }) => name,
  async handle(call, deps) {
    const doc = newForm(call.body, call, deps);
    const created = await deps.forms.create(doc, deps.formLimits());
    if (!created) return { body: NAME_TAKEN, outcome: 'form_name_taken' };
    return { body: { status: 'success', n: 1, doc }, outcome: doc.id, change: { after: doc } };
  },
};

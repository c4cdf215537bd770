import type { Form } from '../../core/form.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonFormsDeps } from './deps.js';
import { changedForm, type FormFields } from './form.js';
import { formChangesSchema } from './form-schema.js';

interface UpdateFormBody {
  readonly options: FormFields;
}

const requestSchema = {
  title: 'Update of a form',
  type: 'object',
  required: ['options'],
  additionalProperties: false,
  properties: { options: formChangesSchema },
} as const;

const replySchema = {
  title: 'Updated form',
  type: 'object',
  required: ['status', 'message'],
  properties: { status: { const: 'success' }, message: { type: 'string' } },
} as const;

/** Replaces the given fields of a form and keeps its previous state (specification 4.4, wire 4.5). */
export const updateForm: Operation<JsonFormsDeps, UpdateFormBody> = {
  id: 'updateForm',
  summary: 'Update the given fields of a JSON form.',
  method: 'PUT',
  path: '/forms/:id',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  async handle({ params, body, principal }, deps) {
    const key = params['id'] ?? '';
    const context = { ...deps, ...(principal && { principal }) };
    let before: Form | undefined;
    const change = (previous: Form): Form => {
      before = previous;
      return changedForm(previous, body.options, context);
    };
    const updated = await deps.forms.update(key, change, deps.formLimits());
    if (!updated) throw new Problem('form_not_found', `There is no form "${key}".`);
    return {
      body: { status: 'success', message: 'Form updated' },
      outcome: updated.id,
      change: { before, after: updated },
    };
  },
};

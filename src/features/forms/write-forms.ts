import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import type { JsonFormsDeps } from './deps.js';
import { formChangesSchema, formSchema, newFormSchema } from './form-schema.js';
import type { Form } from './form-store.js';
import { changedForm, type FormFields, newForm } from './form.js';

const createdFormSchema = {
  title: 'Created form',
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['success', 'failure'] },
    n: { type: 'integer', description: 'Number of created forms, always 1' },
    doc: formSchema,
    message: { type: 'string', description: 'Why no form was created' },
  },
} as const;

/** Status and text that clients of the platform check (wire 4.2). */
const NAME_TAKEN_REPLY = { status: 'failure', message: 'JSON form with this name already exists' };

export const createForm: Operation<JsonFormsDeps, FormFields> = {
  id: 'createForm',
  summary: 'Create a JSON form with a unique name.',
  description:
    'Stores a form with a new id. If the name is taken, nothing is stored and the status in the body is `failure`.',
  problems: ['too_many_forms'],
  method: 'POST',
  path: '/forms',
  roles: ['admin'],
  body: newFormSchema,
  exactNumbers: true,
  hasDocuments: true,
  reply: createdFormSchema,
  audited: true,
  target: ({ body: { name = '' } }) => name,
  async handle(call, deps) {
    const doc = newForm(call.body, call, deps);
    const created = await deps.forms.create(doc, deps.formLimits());
    if (!created) return { body: NAME_TAKEN_REPLY, outcome: 'form_name_taken' };
    return { body: { status: 'success', n: 1, doc }, outcome: doc.id, change: { after: doc } };
  },
};

interface UpdateFormBody {
  readonly options: FormFields;
  readonly grantBindings?: boolean;
}

const formUpdateSchema = {
  title: 'Update of a form',
  type: 'object',
  required: ['options'],
  additionalProperties: false,
  properties: {
    options: formChangesSchema,
    grantBindings: {
      type: 'boolean',
      description:
        'True: you let the form send the queries of its bindings, if you may send them; default: only if you change bindingSchema or schema',
    },
  },
} as const;

const updatedFormSchema = {
  title: 'Updated form',
  type: 'object',
  required: ['status', 'message'],
  properties: { status: { const: 'success' }, message: { type: 'string' } },
} as const;

export const updateForm: Operation<JsonFormsDeps, UpdateFormBody> = {
  id: 'updateForm',
  summary: 'Update the given fields of a JSON form.',
  description:
    'Replaces the sent fields of a form and keeps its previous state in the history. Absent fields stay unchanged.',
  problems: ['form_not_found', 'form_name_taken'],
  method: 'PUT',
  path: '/forms/:id',
  roles: ['admin'],
  body: formUpdateSchema,
  exactNumbers: true,
  hasDocuments: true,
  reply: updatedFormSchema,
  audited: true,
  async handle({ params, body, principal }, deps) {
    const key = params['id'] ?? '';
    const context = { ...deps, principal, grantsBindings: body.grantBindings === true };
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

const formIdsSchema = {
  title: 'Forms to delete',
  type: 'object',
  required: ['ids'],
  additionalProperties: false,
  properties: {
    ids: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Ids of forms; null is an empty list, as `ipctl clear jsonforms` sends it',
    },
  },
} as const;

const deletedFormsSchema = {
  title: 'Deleted forms',
  type: 'object',
  required: ['status', 'n', 'deleted'],
  properties: {
    status: { const: 'success' },
    n: { type: 'integer', description: 'Number of deleted forms' },
    deleted: { type: 'integer', description: 'The same number as n' },
  },
} as const;

/** Ids of forms. Other strings cannot name a form. */
const FORM_ID = /^[0-9a-f]{24}$/;

/**
 * Deletes forms by their ids with their previous states; ignores unknown ids (specification 4.4, wire 4.6).
 */
export const deleteForms: Operation<JsonFormsDeps, FromSchema<typeof formIdsSchema>> = {
  id: 'deleteForms',
  summary: 'Delete JSON forms by their ids.',
  description: 'Deletes forms with their previous states. Unknown ids are ignored.',
  method: 'DELETE',
  path: '/forms',
  roles: ['admin'],
  body: formIdsSchema,
  reply: deletedFormsSchema,
  audited: true,
  target: ({ body: { ids } }) => (ids ?? []).join(' '),
  async handle({ body: { ids } }, { forms }) {
    const deleted = await forms.remove((ids ?? []).filter((id) => FORM_ID.test(id)));
    return { body: { status: 'success', n: deleted, deleted }, outcome: String(deleted) };
  },
};

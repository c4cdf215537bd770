import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { validationReply, validationReplySchema } from './validation-reply.js';

const requestSchema = {
  title: 'Data of a form',
  type: 'object',
  required: ['formData'],
  additionalProperties: false,
  properties: { formData: { description: 'Any JSON value' } },
} as const;

/** Reply that clients of the platform check for (wire 4.9). */
const NOT_FOUND = { status: 404, message: 'Form not found' };

/**
 * Validates data against the schema of a form; a schema without `$schema` is draft-07 (specification 4.4,
 * wire 4.9).
 */
export const validateForm: Operation<JsonFormsDeps, Buffer> = {
  id: 'validateForm',
  summary: 'Validate form data against the schema of a JSON form.',
  method: 'POST',
  path: '/validate-form/:id',
  roles: ['admin'],
  body: requestSchema,
  unparsed: true,
  reply: validationReplySchema,
  async handle({ params, body, signal }, { forms, judge }) {
    const form = await forms.find(params['id'] ?? '');
    if (!form) return { body: NOT_FOUND };
    return { body: validationReply(await judge.validateForm(Buffer.from(form.json), body, signal)) };
  },
};

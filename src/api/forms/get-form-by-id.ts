import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { formSchema } from './form-schema.js';

const replySchema = { title: 'Form, or null', oneOf: [formSchema, { type: 'null' }] } as const;

/** Finds a form by its id or its name; returns `null` if it does not exist (specification 4.4, wire 4.4). */
export const getFormById: Operation<JsonFormsDeps> = {
  id: 'getFormById',
  summary: 'Get a JSON form by its id or its name.',
  method: 'GET',
  path: '/forms/:id',
  roles: ['admin'],
  reply: replySchema,
  async handle({ params }, { forms }) {
    const found = await forms.find(params['id'] ?? '');
    return { body: found ? { rawJson: Buffer.from(found.json) } : null };
  },
};

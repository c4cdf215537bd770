import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { validationReply, validationReplySchema } from './validation-reply.js';

const requestSchema = {
  title: 'Data and its schema',
  type: 'object',
  required: ['jsonSchema', 'formData'],
  additionalProperties: false,
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description: 'JSON Schema of draft 04, 06, 07, 2019-09 or 2020-12, as $schema says; 2020-12 without it',
    },
    formData: { description: 'Any JSON value' },
  },
} as const;

/** Validates data against a schema that the caller sends (specification 4.4, wire 4.8). */
export const validateData: Operation<JsonFormsDeps, Buffer> = {
  id: 'validateData',
  summary: 'Validate form data against a JSON schema.',
  method: 'POST',
  path: '/validate-data',
  roles: ['admin'],
  body: requestSchema,
  unparsed: true,
  reply: validationReplySchema,
  async handle({ body, signal }, { judge }) {
    return { body: validationReply(await judge.validateData(body, signal)) };
  },
};

import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { bindingSchema } from './form-schema.js';

const requestSchema = {
  title: 'Schema to decode',
  type: 'object',
  required: ['jsonSchema'],
  additionalProperties: false,
  properties: { jsonSchema: { type: ['object', 'boolean'] }, bindingSchema },
} as const;

const replySchema = {
  title: 'Decoded schema',
  type: 'object',
  required: ['jsonSchema'],
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description: 'The schema without references; a bound property tells its binding in x-binding',
    },
  },
} as const;

/** Converts a schema and its bindings to one plain schema (wire 4.11). */
export const decodeSchema: Operation<JsonFormsDeps, Buffer> = {
  id: 'decodeSchema',
  summary: 'Resolve the references and bindings of a JSON schema.',
  method: 'POST',
  path: '/decode',
  roles: ['admin'],
  body: requestSchema,
  unparsed: true,
  reply: replySchema,
  async handle({ body, signal }, { judge }) {
    return { body: await judge.decode(body, signal) };
  },
};

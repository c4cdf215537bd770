import type { SchemaValidationResult, ValueError } from '../../core/schema-validator.js';
import type { JsonSchema } from '../../core/schema.js';

const validationSchema: JsonSchema = {
  type: 'object',
  required: ['valid', 'errors', 'details', 'truncated', 'dialect'],
  properties: {
    valid: { type: 'boolean' },
    errors: { type: 'array', items: { type: 'string' }, description: 'Every error as a sentence' },
    details: {
      type: 'array',
      description: 'The same errors in the same order',
      items: {
        type: 'object',
        required: ['instancePath', 'keyword', 'message'],
        properties: {
          instancePath: { type: 'string', description: 'JSON pointer into the data' },
          keyword: { type: 'string' },
          message: { type: 'string' },
          title: { type: 'string', description: 'Title of the field' },
        },
      },
    },
    truncated: { type: 'boolean', description: 'True when there are more errors' },
    dialect: { type: 'string', description: 'Draft of JSON Schema that was applied' },
  },
};

/** Schema of the reply of a validation (wire 4.8, 4.9). */
export const validationReplySchema: JsonSchema = {
  title: 'Validation',
  type: 'object',
  required: ['status', 'message'],
  properties: {
    status: { enum: [200, 404], description: '404 when there is no such form' },
    validation: validationSchema,
    message: { type: 'string' },
  },
};

/**
 * Returns the reply of a validation in the format that clients know, with the errors as sentences and as
 * data.
 */
export function validationReply({ valid, errors, truncated, dialect }: SchemaValidationResult): object {
  return {
    status: 200,
    validation: { valid, errors: errors.map(sentence), details: errors, truncated, dialect },
    message: valid ? 'Form data is valid.' : 'Form data is not valid.',
  };
}

function sentence({ title, instancePath, message }: ValueError): string {
  const place = instancePath === '' ? 'The form data' : instancePath;
  return title === undefined ? `${place} ${message}` : `${title}: ${place} ${message}`;
}

import type { Operation } from '../../core/operation.js';
import type { JsonSchema } from '../../core/schema.js';
import type {
  SchemaValidationResult,
  ValueError,
} from '../../json-schema/validator-pool/schema-validator.js';
import type { JsonFormsDeps } from './deps.js';

const validationResultSchema: JsonSchema = {
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
          appTag: { type: 'string', description: 'error-app-tag of the violated YANG rule (RFC 7950)' },
        },
      },
    },
    truncated: { type: 'boolean', description: 'True if there are more errors than listed' },
    dialect: {
      type: 'string',
      description: 'Draft of JSON Schema that the validation applied; YANG for a document of XML',
    },
    yang: {
      enum: ['checked', 'model-missing'],
      description:
        'checked: the data was validated by the YANG model of the schema, with when, must and references. model-missing: the server does not have the model any more; convert the modules again with yangToSchema. Absent for other schemas, and for data that the schema alone refuses',
    },
  },
};

/** Schema of the reply of a validation (wire 4.8, 4.9). */
const validationReplySchema: JsonSchema = {
  title: 'Validation',
  type: 'object',
  required: ['status', 'message'],
  properties: {
    status: { enum: [200, 404], description: '404 if the form does not exist' },
    validation: validationResultSchema,
    message: { type: 'string' },
  },
};

/**
 * Returns the reply of a validation in the format that clients know, with the errors as sentences and as
 * data.
 */
function validationReply({ valid, errors, truncated, dialect, yang }: SchemaValidationResult): object {
  return {
    status: 200,
    validation: {
      valid,
      errors: errors.map(errorSentence),
      details: errors,
      truncated,
      dialect,
      ...(yang && { yang }),
    },
    message: messageOf(valid, yang),
  };
}

function messageOf(valid: boolean, yang: SchemaValidationResult['yang']): string {
  if (!valid) return 'Form data is not valid.';
  return yang === 'model-missing'
    ? 'Form data is valid by its schema. The YANG model of the schema is not stored; convert the modules again to check when, must and references.'
    : 'Form data is valid.';
}

function errorSentence({ title, instancePath, message }: ValueError): string {
  const subject = instancePath === '' ? 'The form data' : instancePath;
  return title === undefined ? `${subject} ${message}` : `${title}: ${subject} ${message}`;
}

const dataWithSchemaSchema = {
  title: 'Data and its schema',
  type: 'object',
  required: ['jsonSchema', 'formData'],
  additionalProperties: false,
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description:
        'JSON Schema of draft 04, 06, 07, 2019-09 or 2020-12, selected by $schema; default 2020-12',
    },
    formData: {
      description:
        'Any JSON value. With a schema of yangToSchema also a string with a document of XML (RFC 7950), which the YANG model validates',
    },
  },
} as const;

export const validateData: Operation<JsonFormsDeps, Buffer> = {
  id: 'validateData',
  summary: 'Validate form data against a JSON schema.',
  description:
    'Validates data against a JSON Schema that the request contains. Stores nothing; invalid data is a result, not an error.',
  problems: ['schema_invalid', 'schema_too_costly', 'validation_busy'],
  method: 'POST',
  path: '/validate-data',
  roles: ['admin'],
  body: dataWithSchemaSchema,
  unparsed: true,
  reply: validationReplySchema,
  async handle({ body, principal, signal }, { validator }) {
    return { body: validationReply(await validator.validateData(body, { principal, signal })) };
  },
};

const formDataSchema = {
  title: 'Data of a form',
  type: 'object',
  required: ['formData'],
  additionalProperties: false,
  properties: { formData: { description: 'Any JSON value' } },
} as const;

/** Reply that clients of the platform check for (wire 4.9). */
const FORM_NOT_FOUND_REPLY = { status: 404, message: 'Form not found' };

/**
 * Validates data against the schema of a form; a schema without `$schema` is draft-07 (specification 4.4,
 * wire 4.9).
 */
export const validateForm: Operation<JsonFormsDeps, Buffer> = {
  id: 'validateForm',
  summary: 'Validate form data against the schema of a JSON form.',
  description:
    'Validates data against the schema of a stored form. Stores nothing; an unknown form is a result with the status 404 in the body.',
  problems: ['schema_invalid', 'schema_too_costly', 'validation_busy'],
  method: 'POST',
  path: '/validate-form/:id',
  roles: ['admin'],
  body: formDataSchema,
  unparsed: true,
  reply: validationReplySchema,
  async handle({ params, body, principal, signal }, { forms, validator }) {
    const form = await forms.find(params['id'] ?? '');
    if (!form) return { body: FORM_NOT_FOUND_REPLY };
    const result = await validator.validateForm(Buffer.from(form.json), body, { principal, signal });
    return { body: validationReply(result) };
  },
};

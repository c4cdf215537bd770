import type { JsonSchema } from '../../core/schema.js';

/** Maximum length of a name, in characters. */
const NAME_LENGTH = 512;

const name: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: NAME_LENGTH,
  // PostgreSQL cannot store NUL, and no database can store an unpaired surrogate.
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  'x-hint': `must be text of 1 to ${NAME_LENGTH} characters, without the character NUL`,
  description: 'Unique name, compared character by character',
};

/** Creates the schema of an object; clients send `null` for an empty object. */
function part(description: string): JsonSchema {
  return { type: ['object', 'null'], description };
}

/** Schema of a binding. Designers add custom members, so only unknown members with `binding:` are refused. */
const binding: JsonSchema = {
  type: 'object',
  propertyNames: {
    type: 'string',
    pattern: '^(?:binding:(?:method|link|target|hyperSchema|source)$|(?!binding:))',
    'x-hint':
      'is not known here; known: binding:method, binding:link, binding:target, binding:hyperSchema, binding:source',
  },
  properties: {
    'binding:method': { type: 'string' },
    'binding:link': { type: 'string', description: 'Relation of the link to follow' },
    'binding:target': {
      type: 'string',
      description: 'Pointer into the schema of the field, for example /enum',
    },
    'binding:hyperSchema': {
      type: 'object',
      properties: {
        type: { type: 'string' },
        base: { type: 'string' },
        links: {
          type: 'array',
          items: {
            type: 'object',
            required: ['href'],
            properties: {
              rel: { type: 'string' },
              href: { type: 'string' },
              targetMediaType: { type: 'string' },
            },
          },
        },
      },
    },
    'binding:source': {
      type: 'object',
      properties: { propertyPointer: { type: 'string' }, keyPointer: { type: 'string' } },
    },
  },
};

/** Schema of the bindings of a form (wire 4.1). */
export const bindingSchema: JsonSchema = {
  type: ['object', 'null'],
  properties: { properties: { type: 'object', additionalProperties: binding } },
  description: 'Where the options of fields come from',
};

/** Schemas of the fields that callers own. */
const ownFields = {
  name,
  description: { type: ['string', 'null'] },
  struct: part('The form as its designer sees it'),
  schema: part('JSON Schema of the data'),
  uiSchema: part('How the fields are shown'),
  bindingSchema,
  validationSchema: { type: ['object', 'array', 'null'], description: 'Further rules' },
} as const;

const SERVER_FIELDS = [
  'id',
  '_id',
  'tags',
  'created',
  'createdBy',
  'lastUpdated',
  'lastUpdatedBy',
  'version',
];

/**
 * Schemas of the fields that the server owns. It ignores sent values, because clients send back whole forms.
 */
const serverFields = Object.fromEntries(
  SERVER_FIELDS.map((field) => [field, { description: 'Set by the server; ignored when sent' }]),
);

/** Schema of a new form as callers send it (wire 4.2). */
export const newFormSchema = {
  title: 'New form',
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { ...ownFields, ...serverFields },
} as const satisfies JsonSchema;

/** Schema of the fields of an update. */
export const formChangesSchema = {
  title: 'Changes of a form',
  type: 'object',
  additionalProperties: false,
  properties: { ...ownFields, ...serverFields },
} as const satisfies JsonSchema;

/** Schema of a stored form. */
export const storedFormSchema: JsonSchema = {
  title: 'Kept form',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    ...Object.keys(ownFields),
    'created',
    'createdBy',
    'lastUpdated',
    'lastUpdatedBy',
    'version',
  ],
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{24}$', 'x-hint': 'must be 24 hexadecimal digits' },
    ...ownFields,
    created: { type: 'string' },
    createdBy: { type: 'string' },
    lastUpdated: { type: 'string' },
    lastUpdatedBy: { type: 'string' },
    version: { type: 'string' },
  },
};

/** Schema of a form as callers receive it. */
export const formSchema: JsonSchema = {
  title: 'Form',
  type: 'object',
  required: ['id', 'name', 'struct', 'schema', 'uiSchema', 'bindingSchema', 'validationSchema', 'created'],
  properties: {
    id: { type: 'string', description: '24 hexadecimal digits' },
    name: { type: 'string' },
    description: { type: ['string', 'null'] },
    struct: { type: 'object' },
    schema: { type: 'object' },
    uiSchema: { type: 'object' },
    bindingSchema: { type: 'object' },
    validationSchema: { type: ['object', 'array'] },
    created: { type: 'string', description: 'RFC 3339, UTC' },
    createdBy: { type: 'string' },
    lastUpdated: { type: 'string', description: 'RFC 3339, UTC' },
    lastUpdatedBy: { type: 'string' },
    version: { type: 'string' },
  },
};

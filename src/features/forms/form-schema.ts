import type { JsonSchema } from '../../core/schema.js';

/** Maximum length of a name, in characters. */
const MAX_NAME_LENGTH = 512;

const nameSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  // PostgreSQL cannot store NUL, and no database can store an unpaired surrogate.
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  'x-hint': `must be text of 1 to ${MAX_NAME_LENGTH} characters, without the character NUL`,
  description: 'Unique name, compared character by character',
};

/** Creates the schema of an object; clients send `null` for an empty object. */
function objectSchema(description: string): JsonSchema {
  return { type: ['object', 'null'], description };
}

const BINDING_MEMBERS = [
  'binding:method',
  'binding:link',
  'binding:target',
  'binding:hyperSchema',
  'binding:source',
];

/** Schema of a binding. Designers add custom members, so only unknown members with `binding:` are refused. */
const fieldBindingSchema = {
  type: 'object',
  propertyNames: {
    type: 'string',
    anyOf: [{ enum: BINDING_MEMBERS }, { not: { pattern: '^binding:' } }],
    'x-hint': `is not known here; known: ${BINDING_MEMBERS.join(', ')}`,
  },
  properties: {
    'binding:method': { type: 'string' },
    'binding:link': { type: 'string', description: 'Relation of the link to follow' },
    'binding:target': {
      type: 'string',
      description: 'JSON pointer into the schema of the field, for example /enum',
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
              variables: {
                type: 'object',
                description: 'Body of restQuery, with `params.path` and `params.accept`',
              },
            },
          },
        },
      },
    },
    'binding:source': {
      type: 'object',
      properties: {
        propertyPointer: { type: 'string' },
        keyPointer: { type: 'string' },
        labelKeyPointer: { type: 'string' },
      },
    },
  },
} as const;

/** Schema of the bindings of a form (wire 4.1). */
export const bindingSchema = {
  type: ['object', 'null'],
  properties: { properties: { type: 'object', additionalProperties: fieldBindingSchema } },
  description: 'Sources of the options of fields',
} as const;

/** Schema of the presentation of a form. Members about the fields, and other `ui:` keys, are not checked. */
export const uiSchema = {
  title: 'Presentation of a form',
  type: ['object', 'null'],
  description: 'Presentation of the fields by their names, and of the form by keys with the prefix `ui:`',
  properties: {
    'ui:defaults': {
      enum: ['fill', 'show'],
      description:
        'Whether the page fills in defaults and required constants (without the key), or shows them',
    },
    'ui:hiddenValues': {
      enum: ['drop', 'keep'],
      description:
        'Whether the result lacks (without the key) or has the values of fields that a condition hides',
    },
    'ui:pages': {
      type: 'array',
      description: 'Pages of the form, in their order',
      items: {
        type: 'object',
        required: ['title', 'fields'],
        properties: {
          title: { type: 'string' },
          description: { type: 'string' },
          fields: { type: 'array', items: { type: 'string' }, description: 'Names of the members' },
        },
      },
    },
    'ui:translations': {
      type: 'object',
      description: 'Translations of the texts of the form, by language (BCP 47) and text',
      additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
} as const satisfies JsonSchema;

const clientFields = {
  name: nameSchema,
  description: { type: ['string', 'null'] },
  struct: objectSchema('Structure of the form for the form designer'),
  schema: objectSchema('JSON Schema of the data'),
  uiSchema,
  bindingSchema,
  validationSchema: { type: ['object', 'array', 'null'], description: 'Additional rules' },
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
  'createdByIssuer',
  'createdByName',
  'lastUpdatedByIssuer',
  'lastUpdatedByName',
  'bindingGrant',
];

/**
 * Schemas of the fields that the server sets. The server ignores sent values, because clients send back
 * complete forms.
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
  properties: { ...clientFields, ...serverFields },
} as const satisfies JsonSchema;

export const formChangesSchema = {
  title: 'Changes of a form',
  type: 'object',
  additionalProperties: false,
  properties: { ...clientFields, ...serverFields },
} as const satisfies JsonSchema;

/** Schemas of the fields about the callers; absent in forms of earlier versions. */
const AUTHOR_FIELDS = {
  createdByIssuer: { type: 'string', description: 'Issuer of the token of createdBy' },
  createdByName: { type: 'string', description: 'Name of createdBy for people' },
  lastUpdatedByIssuer: { type: 'string' },
  lastUpdatedByName: { type: 'string' },
  bindingGrant: {
    title: 'Binding grant',
    type: ['object', 'null'],
    description: 'Who lets this form send the queries of its bindings; null: nobody',
    properties: {
      by: { type: 'string' },
      byIssuer: { type: 'string' },
      byName: { type: 'string' },
      at: { type: 'string', description: 'RFC 3339, UTC' },
      roles: { type: 'array', items: { type: 'string' } },
      isAccount: { type: 'boolean' },
    },
  },
} as const;

export const storedFormSchema: JsonSchema = {
  title: 'Stored form',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    ...Object.keys(clientFields),
    'created',
    'createdBy',
    'lastUpdated',
    'lastUpdatedBy',
    'version',
  ],
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{24}$', 'x-hint': 'must be 24 hexadecimal digits' },
    ...clientFields,
    created: { type: 'string' },
    createdBy: { type: 'string' },
    lastUpdated: { type: 'string' },
    lastUpdatedBy: { type: 'string' },
    version: { type: 'string' },
    ...AUTHOR_FIELDS,
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
    tags: {
      type: 'array',
      items: { type: 'string' },
      description: 'Always empty; only in the list of forms',
    },
    created: { type: 'string', description: 'RFC 3339, UTC' },
    createdBy: { type: 'string' },
    lastUpdated: { type: 'string', description: 'RFC 3339, UTC' },
    lastUpdatedBy: { type: 'string' },
    version: { type: 'string' },
    ...AUTHOR_FIELDS,
    partial: {
      type: 'boolean',
      description:
        'True if schema and uiSchema lack the content of objects with x-subtree; only with the query schema=partial',
    },
    bytes: { type: 'integer', description: 'Size of the whole form in bytes; only with partial' },
  },
};

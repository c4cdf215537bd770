import type { Operation } from '../../core/operation.js';
import { ADAPTER_CALL_PROBLEMS } from '../lib/adapter-problems.js';
import type { JsonFormsDeps } from './deps.js';
import { bindingSchema } from './form-schema.js';
import { type Compilation, compileTexts, yangTextProperties, type YangTexts } from './yang-texts.js';

const decodeRequestSchema = {
  title: 'Schema to decode',
  type: 'object',
  required: ['jsonSchema'],
  additionalProperties: false,
  properties: { jsonSchema: { type: ['object', 'boolean'] }, bindingSchema },
} as const;

const decodeReplySchema = {
  title: 'Decoded schema',
  type: 'object',
  required: ['jsonSchema'],
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description: 'The schema without references; x-binding of a bound property contains its binding',
    },
  },
} as const;

export const decodeSchema: Operation<JsonFormsDeps, Buffer> = {
  id: 'decodeSchema',
  summary: 'Resolve the references and bindings of a JSON schema.',
  description:
    'Returns a JSON Schema without references, with the binding of each field in the field itself. Stores nothing.',
  problems: ['schema_invalid', 'schema_too_costly', 'validation_busy'],
  method: 'POST',
  path: '/decode',
  roles: ['admin'],
  body: decodeRequestSchema,
  unparsed: true,
  reply: decodeReplySchema,
  async handle({ body, principal, signal }, { validator }) {
    return { body: await validator.decode(body, decodeRequestSchema, { principal, signal }) };
  },
};

const yangRequestSchema = {
  title: 'YANG to convert',
  type: 'object',
  required: ['yangData'],
  additionalProperties: false,
  properties: {
    ...yangTextProperties,
    target: {
      type: 'string',
      minLength: 1,
      description:
        'Document to convert instead of the data of each module: "datastore" for one document with the data of all modules, or a name in "targets" of the reply, such as "rpc:NAME/input"',
    },
    content: {
      enum: ['config', 'all'],
      description: '"all" includes state data as read-only; default "config"',
    },
    dialect: {
      enum: ['plain', 'rjsf', 'jsonforms'],
      description:
        'Form library that shows the schemas: react-jsonschema-form or JSON Forms; default "plain", for validators and the forms of gatehouse',
    },
    draft: {
      enum: ['2020-12', '07'],
      description: 'Draft of the JSON Schemas; default 2020-12, or 07 for "rjsf" and "jsonforms"',
    },
  },
} as const;

const yangReplySchema = {
  title: 'JSON Schemas of YANG modules',
  type: 'object',
  required: ['schemas'],
  properties: {
    schemas: {
      type: 'array',
      description:
        'One schema for each main module, in the order of the texts; with the target "datastore" a single one',
      items: {
        type: 'object',
        required: ['module', 'namespace', 'schema', 'uiSchema', 'warnings'],
        properties: {
          module: { type: 'string' },
          revision: { type: 'string' },
          namespace: { type: 'string' },
          schema: { type: 'object', description: 'Schema of RFC 7951 documents' },
          uiSchema: {
            type: 'object',
            description:
              'Order, widgets and choices of the fields; with the dialect "jsonforms", layouts, controls and rules',
          },
          warnings: {
            type: 'array',
            items: { type: 'object' },
            description: 'YANG rules that JSON Schema cannot express; the first 1,000',
          },
          warningCounts: {
            type: 'object',
            additionalProperties: { type: 'integer' },
            description:
              'Number of all warnings by kind: must, when, leafref, instance-identifier, key, unique, pattern, extension',
          },
          targets: { type: 'array', items: { type: 'string' }, description: 'Other documents of the module' },
        },
      },
    },
    fetched: {
      type: 'array',
      items: { type: 'string' },
      description: 'Modules fetched from the orchestrator; only with adapterId',
    },
    bundled: {
      type: 'array',
      items: { type: 'string' },
      description: 'Imported modules that only the package of gatehouse provided; absent without any',
    },
  },
} as const;

/** Converts YANG 1.0 and 1.1 into JSON Schema for forms (specification 4.4, wire decision 5). */
export const yangToSchema: Operation<JsonFormsDeps, YangTexts> = {
  id: 'yangToSchema',
  summary: 'Convert YANG modules into JSON schemas.',
  description:
    'Compiles YANG modules and returns one JSON Schema for each main module. Fetches missing modules from an orchestrator if the request names an adapter.',
  problems: ['yang_invalid', 'yang_too_costly', ...ADAPTER_CALL_PROBLEMS],
  method: 'POST',
  path: '/yangToSchema',
  roles: ['admin'],
  body: yangRequestSchema,
  hasYangTexts: true,
  reply: yangReplySchema,
  audited: true,
  target: ({ body: { adapterId } }) => adapterId ?? '',
  async handle(call, { yang }) {
    const compiled = await compileTexts(call.body, call, yang);
    const { schemas, fetched } = compiled;
    const outcome = `${schemas.length} schemas, ${fetched?.length ?? 0} modules fetched`;
    return { body: { rawJson: replyJson(compiled) }, outcome };
  },
};

/** Returns the JSON of a reply in UTF-8, from the JSON of the schemas, which is not read: it may be large. */
function replyJson({ schemas, ...others }: Compilation): Buffer {
  const parts = schemas.flatMap(({ json }, at) => (at === 0 ? [json] : [COMMA, json]));
  const members = JSON.stringify(others).slice(1, -1);
  const end = members === '' ? ']}' : `],${members}}`;
  return Buffer.concat([Buffer.from('{"schemas":['), ...parts, Buffer.from(end)]);
}

const COMMA = Buffer.from(',');

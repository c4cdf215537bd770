import type { Operation } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { compileTexts, type YangTexts, yangTextProperties } from './yang-texts.js';

const requestSchema = {
  title: 'YANG to convert',
  type: 'object',
  required: ['yangData'],
  additionalProperties: false,
  properties: {
    ...yangTextProperties,
    target: {
      type: 'string',
      minLength: 1,
      description: 'Another document than the data, as "targets" of the answer names it: "rpc:NAME/input"',
    },
    content: {
      enum: ['config', 'all'],
      description: '"all": with state, read-only; "config" when it is left out',
    },
    draft: { enum: ['2020-12', '07'], description: 'Draft of the JSON Schemas; 2020-12 when it is left out' },
  },
} as const;

const replySchema = {
  title: 'JSON Schemas of YANG modules',
  type: 'object',
  required: ['schemas'],
  properties: {
    schemas: {
      type: 'array',
      description: 'One for each main module, in the order of the texts',
      items: {
        type: 'object',
        required: ['module', 'namespace', 'schema', 'uiSchema', 'warnings'],
        properties: {
          module: { type: 'string' },
          revision: { type: 'string' },
          namespace: { type: 'string' },
          schema: { type: 'object', description: 'Schema of RFC 7951 documents' },
          uiSchema: { type: 'object', description: 'Order, widgets and choices, for forms' },
          warnings: { type: 'array', items: { type: 'object' }, description: 'What JSON Schema cannot say' },
          targets: { type: 'array', items: { type: 'string' }, description: 'Other documents of the module' },
        },
      },
    },
    fetched: {
      type: 'array',
      items: { type: 'string' },
      description: 'Modules that came from the orchestrator; only beside adapterId',
    },
  },
} as const;

/** Converts YANG 1.0 and 1.1 into JSON Schema for forms (specification 4.4, wire decision 5). */
export const yangToSchema: Operation<JsonFormsDeps, YangTexts> = {
  id: 'yangToSchema',
  summary: 'Convert YANG modules into JSON schemas.',
  method: 'POST',
  path: '/yangToSchema',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  target: ({ body: { adapterId } }) => adapterId ?? '',
  async handle(call, { yang }) {
    const compiled = await compileTexts(call.body, call, yang);
    const { schemas, fetched } = compiled;
    return { body: compiled, outcome: `${schemas.length} schemas, ${fetched?.length ?? 0} modules fetched` };
  },
};

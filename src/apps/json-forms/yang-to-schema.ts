import type { Operation } from '../../domain/operation.js';
import { Problem } from '../../domain/problem.js';
import type { YangComplaint, YangRequest } from '../../domain/yang.js';
import type { JsonFormsDeps } from './deps.js';

/** Wire decision 5, with our optional members. */
interface YangToSchemaBody {
  readonly yangData: readonly string[];
  readonly features?: YangRequest['features'];
  readonly deviations?: readonly string[];
  readonly path?: string;
  readonly draft?: YangRequest['draft'];
}

const names = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

const requestSchema = {
  title: 'YANG to convert',
  type: 'object',
  required: ['yangData'],
  additionalProperties: false,
  properties: {
    yangData: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Texts of modules and submodules; those that others import need not be main modules',
    },
    features: {
      type: 'object',
      additionalProperties: names,
      description: 'Features that are on, by module; of a module that is not named, all are',
    },
    deviations: { ...names, description: 'Modules whose deviations apply' },
    path: { type: 'string', minLength: 1, description: 'Node to start from' },
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
        },
      },
    },
  },
} as const;

/** Converts YANG 1.0 and 1.1 into JSON Schema for forms (specification 4.4, wire decision 5). */
export const yangToSchema: Operation<JsonFormsDeps, YangToSchemaBody> = {
  id: 'yangToSchema',
  summary: 'Convert YANG modules into JSON schemas.',
  method: 'POST',
  path: '/yangToSchema',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  async handle({ body }, { yang }) {
    const { yangData, features = {}, deviations = [], path, draft = '2020-12' } = body;
    const request = { texts: yangData, features, deviations, draft, ...(path !== undefined && { path }) };
    const compiled = await yang.compile(request);
    if ('complaints' in compiled) throw refusalOf(compiled.complaints);
    return { body: compiled };
  },
};

function refusalOf(complaints: readonly YangComplaint[]): Problem {
  const [first] = complaints;
  if (first?.isLimit) return new Problem('yang_too_costly', first.message);
  const errors = complaints.map(({ text, message }) => ({
    pointer: text === undefined ? '/yangData' : `/yangData/${text}`,
    message,
  }));
  const detail =
    complaints.length === 1 ? 'the YANG has a fault' : `the YANG has ${complaints.length} faults`;
  return new Problem('yang_invalid', detail, { errors });
}

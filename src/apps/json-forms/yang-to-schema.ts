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
  readonly target?: string;
  readonly draft?: YangRequest['draft'];
  readonly content?: YangRequest['content'];
  readonly adapterId?: string;
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
    adapterId: {
      type: 'string',
      minLength: 1,
      description:
        'Adapter whose orchestrator is asked (RFC 8525, RFC 7895) for modules that are missing otherwise',
    },
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
export const yangToSchema: Operation<JsonFormsDeps, YangToSchemaBody> = {
  id: 'yangToSchema',
  summary: 'Convert YANG modules into JSON schemas.',
  method: 'POST',
  path: '/yangToSchema',
  roles: ['admin'],
  body: requestSchema,
  reply: replySchema,
  audited: true,
  target: ({ body: { adapterId } }) => adapterId ?? '',
  async handle({ body, signal, principal }, { yang }) {
    const { adapterId } = body;
    const origin =
      adapterId === undefined ? undefined : { adapterId, signal, ...(principal && { principal }) };
    const compiled = await yang.compile({ ...requestOf(body), ...(origin && { origin }) });
    if ('complaints' in compiled) throw refusalOf(compiled.complaints);
    const { schemas, fetched } = compiled;
    return { body: compiled, outcome: `${schemas.length} schemas, ${fetched?.length ?? 0} modules fetched` };
  },
};

function requestOf(body: YangToSchemaBody): YangRequest {
  const { yangData, features, deviations, path, target, draft, content } = body;
  return {
    texts: yangData,
    features: features ?? {},
    deviations: deviations ?? [],
    draft: draft ?? '2020-12',
    content: content ?? 'config',
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
  };
}

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

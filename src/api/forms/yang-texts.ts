import type { Call } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import type { YangCompiler, YangDiagnostic, YangRequest, YangResult } from '../../core/yang.js';

/** YANG in a request body (wire decision 5), with the optional members of gatehouse. */
export interface YangTexts {
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

/** Schemas of the members that select the YANG. */
export const yangTextProperties = {
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
  adapterId: {
    type: 'string',
    minLength: 1,
    description:
      'Adapter whose orchestrator is asked (RFC 8525, RFC 7895) for modules that are missing otherwise',
  },
} as const satisfies Record<string, JsonSchema>;

/** Compiles the modules to JSON Schema. Throws `yang_invalid` with every fault, or `yang_too_costly`. */
export async function compileTexts(
  texts: YangTexts,
  { signal, principal }: Pick<Call, 'signal' | 'principal'>,
  yang: YangCompiler,
): Promise<Extract<YangResult, { readonly schemas: unknown }>> {
  const { adapterId } = texts;
  const origin = adapterId === undefined ? undefined : { adapterId, signal, ...(principal && { principal }) };
  const compiled = await yang.compile({ ...requestOf(texts), ...(origin && { origin }) });
  if ('complaints' in compiled) throw refusalOf(compiled.complaints);
  return compiled;
}

function requestOf({ yangData, features, deviations, path, target, draft, content }: YangTexts): YangRequest {
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

function refusalOf(complaints: readonly YangDiagnostic[]): Problem {
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

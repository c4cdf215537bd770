import type { Call } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import type { YangCompiler, YangDiagnostic, YangRequest, YangResult } from '../yang-forms/yang.js';

/** YANG modules in a request body (wire decision 5), and the optional members that gatehouse adds. */
export interface YangTexts {
  readonly yangData: readonly string[];
  readonly features?: YangRequest['features'];
  readonly deviations?: readonly string[];
  readonly path?: string;
  readonly target?: string;
  readonly draft?: YangRequest['draft'];
  readonly dialect?: YangRequest['dialect'];
  readonly content?: YangRequest['content'];
  readonly adapterId?: string;
  readonly mount?: string;
  readonly lenient?: boolean;
}

const nameListSchema = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

const MOUNT_RULE =
  'must be the path of a RESTCONF data resource, such as /restconf/data/.../yang-ext:mount, without a query';

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
    additionalProperties: nameListSchema,
    description: 'Enabled features by module; all features of a module that is not listed are enabled',
  },
  deviations: { ...nameListSchema, description: 'Modules whose deviations apply' },
  path: { type: 'string', minLength: 1, description: 'Path of the node to start from' },
  adapterId: {
    type: 'string',
    minLength: 1,
    description:
      'Adapter whose orchestrator provides modules that are missing here (RFC 8525, RFC 7895, RFC 6022)',
  },
  lenient: {
    type: 'boolean',
    description:
      'true accepts faults of published modules, each with a warning: faults that change no meaning, such as statements in the wrong order; patterns and conditions that are invalid, which are not enforced; unknown statements, which are left out; missing imports that no data needs. Default false',
  },
  mount: {
    type: 'string',
    maxLength: 4096,
    pattern: '^/[^?#]*$',
    'x-hint': MOUNT_RULE,
    description:
      'Data resource of the adapter whose modules are used: of a mounted device, or of another RESTCONF root; default /restconf/data',
  },
} as const satisfies Record<string, JsonSchema>;

/** Schemas of the modules in a request, and the modules that were not in the request. */
export type Compilation = Extract<YangResult, { readonly schemas: unknown }>;

/** Compiles the modules to JSON Schema. Throws `yang_invalid` with every fault, or `yang_too_costly`. */
export async function compileTexts(
  texts: YangTexts,
  { signal, principal, address }: Call,
  yang: YangCompiler,
): Promise<Compilation> {
  const { adapterId, mount } = texts;
  const message = mountError(texts);
  if (message !== undefined)
    throw new Problem('invalid_request', `/mount ${message}.`, { errors: [{ pointer: '/mount', message }] });
  const origin = adapterId !== undefined && {
    adapterId,
    address,
    signal,
    ...(mount !== undefined && { mount }),
    ...(principal && { principal }),
  };
  const compiled = await yang.compile({ ...yangRequestOf(texts), principal, ...(origin && { origin }) });
  if ('complaints' in compiled) throw yangProblemOf(compiled.complaints);
  return compiled;
}

function yangRequestOf({
  yangData,
  features,
  deviations,
  path,
  target,
  draft,
  dialect,
  content,
  lenient,
}: YangTexts): YangRequest {
  return {
    texts: yangData,
    features: features ?? {},
    deviations: deviations ?? [],
    dialect: dialect ?? 'plain',
    ...(draft !== undefined && { draft }),
    content: content ?? 'config',
    ...(lenient && { lenient }),
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
  };
}

function yangProblemOf(complaints: readonly YangDiagnostic[]): Problem {
  const [first] = complaints;
  if (first?.isLimit) return new Problem('yang_too_costly', first.message);
  const errors = complaints.map(({ text, message, pointer }) => ({
    pointer: pointer ?? (text === undefined ? '/yangData' : `/yangData/${text}`),
    message,
  }));
  if (first?.pointer !== undefined)
    return new Problem('invalid_request', `${first.pointer}: ${first.message}.`, { errors });
  const detail =
    complaints.length === 1 ? 'the YANG has a fault' : `the YANG has ${complaints.length} faults`;
  return new Problem('yang_invalid', detail, { errors });
}

/** Returns what is wrong with the member `mount`; undefined if it is right. */
function mountError({ adapterId, mount }: YangTexts): string | undefined {
  if (mount === undefined) return undefined;
  if (adapterId === undefined) return 'needs adapterId, the adapter that has this resource';
  // The schema has no pattern for this, because it would read a long text again for each segment.
  return mount.split('/').includes('data') ? undefined : MOUNT_RULE;
}

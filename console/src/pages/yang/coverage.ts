import { isJsonObject } from '../../../../src/json/json-object.js';
import { eachSchema } from '../../design/lint/each-schema.js';

/** A fact that a JSON Schema cannot express (wire decision 5). */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}

/** YANG constructs that a JSON Schema cannot express completely. */
type Construct =
  | 'must'
  | 'when'
  | 'leafref'
  | 'instance-identifier'
  | 'key'
  | 'unique'
  | 'pattern'
  | 'extension'
  | 'other';

const CONSTRUCTS: readonly (readonly [construct: Construct, message: RegExp])[] = [
  ['must', /^must "/],
  ['when', /^when "/],
  ['leafref', /leafref's target/],
  ['instance-identifier', /instance-identifier/],
  ['key', /^that keys are unique/],
  ['unique', /^unique "/],
  ['pattern', /^the pattern /],
  ['extension', /^the extension /],
];

export function constructOf({ message }: YangWarning): Construct {
  return CONSTRUCTS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'other';
}

/** How much of a model its JSON Schema expresses. */
export interface Coverage {
  readonly nodes: number;
  /** Number of nodes that are expressed only in part. */
  readonly partly: number;
  /** Warnings by construct, most frequent first. */
  readonly warningCounts: readonly (readonly [construct: string, count: number])[];
  readonly byModule: ReadonlyMap<string, number>;
}

/** A schema, its first warnings, and the number of all warnings by kind. */
interface CoverageSource {
  readonly schema: unknown;
  readonly warnings: readonly YangWarning[];
  readonly warningCounts?: Readonly<Record<string, number>>;
}

/** Counts the nodes of a YANG schema, and the warnings. */
export function coverageOf({ schema, warnings, warningCounts }: CoverageSource): Coverage {
  const byModule = new Map<string, number>();
  let nodes = 0;
  for (const [{ 'x-yang': yang }] of eachSchema(schema)) {
    if (!isJsonObject(yang) || yang['kind'] === 'module') continue;
    nodes += 1;
    const module = yang['module'];
    if (typeof module === 'string') byModule.set(module, (byModule.get(module) ?? 0) + 1);
  }
  const counts = new Map(Object.entries({ ...countsOf(warnings), ...warningCounts }));
  const partly = Math.min(
    new Set(warnings.map(({ path }) => path).filter((path) => path !== '/')).size,
    nodes,
  );
  return { nodes, partly, warningCounts: [...counts].sort(([, a], [, b]) => b - a), byModule };
}

function countsOf(warnings: readonly YangWarning[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const warning of warnings) {
    const construct = constructOf(warning);
    counts[construct] = (counts[construct] ?? 0) + 1;
  }
  return counts;
}

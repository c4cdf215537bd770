import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { YangModelArchive } from '../core/yang.js';
import { ValidationTooCostly } from './document/step-budget.js';
import { Budget, DEFAULT_LIMITS, type Limits } from './limits.js';
import { type LinkedModules, linkModules } from './link.js';
import type { FeatureChoice } from './modules/features.js';
import { textLibrary } from './modules/library.js';
import type { Unit, YangModule } from './modules/yang-module.js';
import type { SourceText } from './syntax/statement.js';

/** Options of a compilation that change the model. */
interface ModelOptions {
  readonly features?: FeatureChoice;
  readonly deviations?: readonly string[];
  readonly lenient?: boolean;
}

const NO_FEATURES: FeatureChoice = new Map<string, ReadonlySet<string>>();

/** Content of an archive. */
interface ArchivedModel {
  readonly given: readonly SourceText[];
  readonly imported: readonly SourceText[];
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly deviations: readonly string[];
  readonly isLenient: boolean;
}

/** Creates an archive of all texts that take part in a model, from which {@link openArchive} compiles it again. */
export function archiveModel(
  { given, all }: LinkedModules,
  { features = NO_FEATURES, deviations = [], lenient = false }: ModelOptions,
): YangModelArchive {
  const model: ArchivedModel = {
    given: textsOf(given),
    imported: textsOf(all.filter((module) => !given.includes(module))),
    features: sortedFeatures(features),
    deviations: [...deviations].sort(),
    isLenient: lenient,
  };
  const json = JSON.stringify(model);
  const digest = createHash('sha256').update(json).digest('hex');
  return { digest, archive: deflateRawSync(json).toString('base64') };
}

function sortedFeatures(features: FeatureChoice): ArchivedModel['features'] {
  const modules = [...features.keys()].sort();
  return Object.fromEntries(modules.map((module) => [module, [...(features.get(module) ?? [])].sort()]));
}

/**
 * Compiles the model of an archive. Throws `ValidationTooCostly` if the model exceeds a limit, which may be lower than at its
 * first compilation, and an `Error` if the archive is damaged.
 */
export function openArchive(archive: string, limits: Partial<Limits>): LinkedModules {
  const json = inflateRawSync(Buffer.from(archive, 'base64')).toString();
  const { given, imported, features, deviations, isLenient } = JSON.parse(json) as ArchivedModel;
  const linked = linkModules({
    sources: given,
    library: textLibrary(imported),
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
    acceptsUnknownFeatures: true,
    extraModules: deviations,
    isLenient,
    budget: new Budget({ ...DEFAULT_LIMITS, ...limits }, () => performance.now()),
  });
  if (!('faults' in linked)) return linked.value;
  const [fault] = linked.faults;
  const message = `Compiling the stored model failed: ${fault?.message ?? ''}`;
  throw fault?.rule === 'limit' ? new ValidationTooCostly(message) : new Error(message);
}

/** Returns the texts of modules, main units first, under names that do not depend on where they came from. */
function textsOf(modules: readonly YangModule[]): readonly SourceText[] {
  const sorted = [...modules].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return sorted.flatMap(({ units }) =>
    units.map((unit) => ({ file: `${nameOf(unit)}.yang`, text: unit.source.text })),
  );
}

function nameOf({ name, revision }: Pick<Unit, 'name' | 'revision'>): string {
  return revision === undefined ? name : `${name}@${revision}`;
}

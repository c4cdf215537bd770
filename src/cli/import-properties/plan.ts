import { writeYaml } from '../../config/yaml.js';
import { isJsonObject } from '../../json/json-object.js';
import { findReferences } from '../../secrets/find-references.js';
import { proposedPathsFor, storeCommands } from '../../secrets/propose-references.js';
import { type AdapterFile, convertAdapter, type Installed, readRecord } from './adapter.js';
import { ImportReport, type PropertyMove, type SkippedEntry } from './import-report.js';
import { endpointOf, mainFile, servicesOf, vaultKeys } from './main-file.js';
import type { Machine } from './policies.js';
import { BLOCK_REASONS } from './skipped.js';
import { at, itemsOf, membersOf, type SourceLocation } from './source-location.js';

/** Contents of the platform's documents by kind. */
interface SourceProperties {
  readonly adapters: readonly SourceLocation[];
  /** Blocks of the properties file and of the profile by name: `expressProps`, `vaultProps` and so on. */
  readonly blocks: ReadonlyMap<string, SourceLocation>;
}

const DUPLICATE_BLOCK = {
  why: 'An earlier document or another profile sets this block already, and only one configuration is in effect.',
  instead: 'Import the profile unchanged, and activate it later: POST /profiles/import.',
};

/**
 * Sorts documents of the platform: a properties file, an exported profile, the service config of an adapter,
 * or lists of those as the API returns them. Active profiles take precedence, then the first document that
 * sets a block.
 */
function collectProperties(documents: readonly SourceLocation[], report: ImportReport): SourceProperties {
  const records = documents.flatMap((document) => recordsIn(document, report));
  const adapters = records.filter(isService);
  const settings = records.filter((record) => !isService(record));
  const blocks = new Map<string, SourceLocation>();
  for (const one of [...settings.filter(isActive), ...settings.filter((each) => !isActive(each))])
    for (const { name, pointer, value } of membersOf(contentOf(one, report))) {
      const place = { pointer, value };
      if (name === 'adapterProps') adapters.push(...itemsOf(at(place, 'adapters')).filter(isService));
      if (blocks.has(name)) report.skip(place, DUPLICATE_BLOCK);
      else blocks.set(name, place);
    }
  return { adapters, blocks };
}

/** Returns the records inside lists and API envelopes. */
function recordsIn(place: SourceLocation, report: ImportReport): readonly SourceLocation[] {
  const { value } = place;
  if (Array.isArray(value)) return itemsOf(place).flatMap((item) => recordsIn(item, report));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(at(place, 'results').value)) {
    report.use(at(place, 'total'));
    return recordsIn(at(place, 'results'), report);
  }
  if (isJsonObject(at(place, 'metadata').value) && isJsonObject(at(place, 'data').value)) {
    report.useAll(at(place, 'metadata'));
    return recordsIn(at(place, 'data'), report);
  }
  const profiles = itemsOf(at(place, 'profiles'));
  return [...profiles.flatMap((profile) => recordsIn(profile, report)), place];
}

/** Returns true for the service config of an adapter or an application. */
function isService(place: SourceLocation): boolean {
  return isJsonObject(at(place, 'properties').value);
}

function isActive(place: SourceLocation): boolean {
  return at(place, 'metadata', 'isActive').value === true;
}

/** Returns a profile without the metadata that the API returns next to it. */
function contentOf(place: SourceLocation, report: ImportReport): SourceLocation {
  const profile = at(place, 'profile');
  if (!isJsonObject(profile.value)) return place;
  report.useAll(at(place, 'metadata'));
  return profile;
}

interface ImportInput {
  /**
   * Parsed documents of the platform with their file names. With a single document, pointers omit the file
   * name.
   */
  readonly documents: readonly { readonly file: string; readonly value: unknown }[];
  readonly machine: Machine;
  readonly installed?: (model: string) => Installed | undefined;
  /** Folders that `installed` searches, as a sentence; absent if the adapters of the catalog are not wanted. */
  readonly searched?: string;
}

/** Result of planning an import. Contains no secret. */
export interface ImportPlan {
  /** Files by their path in the configuration folder. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly adapters: number;
  readonly moves: readonly PropertyMove[];
  /** Commands that store the secrets in Vault. Each command reads one secret from standard input. */
  readonly commands: readonly string[];
  /** Tasks that only a person can do. */
  readonly tasks: readonly string[];
  readonly leftOut: readonly SkippedEntry[];
}

/**
 * Plans a configuration that is equivalent to the platform's. Pure except for `machine` and `installed`;
 * never throws.
 */
export function planImport({
  documents,
  machine,
  installed = () => undefined,
  searched,
}: ImportInput): ImportPlan {
  const root = rootOf(documents);
  const places: readonly SourceLocation[] =
    documents.length === 1
      ? [root]
      : documents.map(({ file, value }) => ({ pointer: `/${escapeToken(file)}`, value }));
  const { adapters: services, blocks } = collectProperties(places, new ImportReport(new Set(), []));
  const { mount, prefix } = endpointOf(blocks.get('vaultProps'));
  const taken = proposedPathsFor(referencesIn(root.value, prefix), mount);
  const report = new ImportReport(taken, prefix);
  collectProperties(places, report);
  for (const [name, reason] of BLOCK_REASONS) {
    const block = blocks.get(name);
    if (block) report.skip(block, reason);
  }
  const names = new Set(services.map((one) => String(readRecord(one).name.value)));
  const running = servicesOf(blocks, names, report);
  const adapters: AdapterFile[] = [];
  for (const service of services) {
    const known = new Set(adapters.map(({ id }) => id.toLowerCase()));
    const adapter = convertAdapter(service, known, {
      report,
      machine,
      installed,
      searched,
      services: running,
    });
    if (adapter) adapters.push(adapter);
  }
  const input = { blocks, report, machine };
  const main = { ...mainFile(input), ...vaultKeys(input) };
  const homes = report.moves.map(({ home }) => home);
  return {
    files: [
      { path: 'gatehouse.yaml', text: textOf(main) },
      ...adapters.map(({ id, value }) => ({ path: `adapters/${id}.yaml`, text: textOf(value) })),
    ],
    adapters: adapters.length,
    moves: report.moves,
    commands: storeCommands(homes, { mount, kvVersion: 2, taken }),
    tasks: report.tasks,
    leftOut: report.skipped(root),
  };
}

function rootOf(documents: ImportInput['documents']): SourceLocation {
  const [only] = documents;
  if (only && documents.length === 1) return { pointer: '', value: only.value };
  return { pointer: '', value: Object.fromEntries(documents.map(({ file, value }) => [file, value])) };
}

function escapeToken(file: string): string {
  return file.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the existing references to secrets, with the prefix that they have in the result. */
function referencesIn(value: unknown, prefix: readonly string[]) {
  return findReferences(value).references.map(({ reference }) =>
    reference.absolute ? reference : { ...reference, segments: [...prefix, ...reference.segments] },
  );
}

function textOf(value: unknown): string {
  return `# Created by "gatehouse import-properties".\n${writeYaml(value)}`;
}

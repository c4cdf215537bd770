import { dirname } from 'node:path';
import { cataloguePackage, packageOfCatalogueType } from '../../adapters/plugin-packages.js';
import type { Plugins } from '../../adapters/plugins.js';
import { CATALOGUE_PLUGIN, checkRecord } from '../../config/adapter-record.js';
import { type AdapterDocument, typeOfModel } from '../../core/adapter-document.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { valueAt } from '../../json/pointer.js';
import { checkAdapter, type CheckDeps, withOptionAdvice } from './check-adapter.js';
import { referenceSyntax, toConfigSection, withoutCiphertext, type AdapterConfig } from './configuration.js';
import {
  escapingPaths,
  type MainSection,
  openTargetsOf,
  reservedSecrets,
  secretsOutOfScope,
} from './record-restrictions.js';

interface RecordDeps extends CheckDeps {
  /** Folder of the adapter files. Paths in a record are relative to it. */
  readonly folder: string;
  /** The main file, whose secrets are reserved. */
  readonly main: MainSection;
}

/** Reads an adapter that was registered through the API like an adapter of a file. Returns it with all its faults. */
export async function readRecord(
  document: AdapterDocument,
  deps: RecordDeps,
): Promise<{ readonly adapter?: AdapterConfig; readonly faults: readonly Fault[] }> {
  const { folder, main, compile } = deps;
  const file = `${folder}/${document.name}`;
  const catalogueFolder = catalogueFolderOf(document.model, deps);
  const check = { compile, syntax: referenceSyntax, catalogueFolder };
  const { written, faults } = checkRecord(document, file, check);
  const checked = await checkAdapter(written, deps);
  const relevant = relevantFaults([...withOptionAdvice(faults, [checked.adapter]), ...checked.faults]);
  const restricted =
    checked.adapter && relevant.length === 0
      ? [
          ...escapingPaths(checked.adapter, folder),
          ...reservedSecrets(checked.adapter, main),
          ...secretsOutOfScope(checked.adapter, main),
        ]
      : [];
  return {
    ...(checked.adapter && { adapter: { ...checked.adapter, openTargets: openTargetsOf(main) } }),
    faults: withoutCiphertext([...relevant, ...restricted]),
  };
}

/** Returns only the faults of the plugin if there are any, because without the plugin the settings have no schema. */
function relevantFaults(faults: readonly Fault[]): readonly Fault[] {
  const pluginFaults = faults.filter(({ pointer }) => pointer === '/plugin');
  return pluginFaults.length > 0 ? pluginFaults : faults;
}

/**
 * Returns the model that is stored for a model of a request: the type of a plugin or the package of a catalog adapter, for
 * each name of `GET /adapter-models/types`. `home` is the folder of the configuration.
 */
export function registeredModelOf(model: string, plugins: Plugins, home: string): string {
  if (plugins.has(model)) return model;
  const catalogued = plugins.has(CATALOGUE_PLUGIN) ? packageOfCatalogueType(model, home) : undefined;
  return catalogued ?? typeOfModel(model, plugins.types) ?? model;
}

/** Returns the folder of a catalogue adapter. A plugin takes precedence over a package of the catalogue. */
function catalogueFolderOf(model: string, { plugins, folder }: RecordDeps): string | undefined {
  if (plugins.has(model) || !plugins.has(CATALOGUE_PLUGIN)) return undefined;
  return cataloguePackage(model, dirname(folder));
}

/**
 * Reads the registered adapters. They had no faults when they were registered. An adapter that has faults now is `DEAD` and
 * does not affect other adapters.
 */
export function readRecords(
  records: readonly NamedRecord[],
  deps: RecordDeps,
): Promise<readonly AdapterConfig[]> {
  return Promise.all(
    records.map(async (record) => {
      const { adapter, recordFault } = await readStored(record, deps);
      return {
        ...(adapter ?? standInFor(record)),
        record,
        ...(recordFault !== undefined && { recordFault }),
      };
    }),
  );
}

async function readStored(
  { document }: NamedRecord,
  deps: RecordDeps,
): Promise<{ readonly adapter?: AdapterConfig; readonly recordFault?: string }> {
  // Another version of this server, or another program, may have written the record.
  if (typeof valueAt(document, '/properties/properties') !== 'object')
    return { recordFault: 'its record in the database is not an adapter' };
  const { adapter, faults } = await readRecord(document as unknown as AdapterDocument, deps);
  const [first] = faults;
  return {
    ...(adapter && { adapter }),
    ...(first && { recordFault: `${first.pointer} ${first.message} [${first.code}]` }),
  };
}

/** Creates a substitute for an adapter whose plugin is no longer installed. */
function standInFor({ name, document: record }: NamedRecord): AdapterConfig {
  const type = String(record['model']);
  const position = { file: name, value: {}, faults: [], sound: true };
  const locate = () => ({ line: 0, column: 0 });
  const document = { ...position, locate, locateKey: locate };
  const written = { id: name, document, at: '', value: {}, secrets: [] };
  const { section } = toConfigSection(written, () => ({
    violations: [],
    secrets: [],
    paths: [],
  }));
  const plugin: AdapterPlugin = {
    type,
    apiVersion: 1,
    summary: 'Is not installed.',
    options: {},
    create() {
      throw new Error(`there is no plugin "${type}"`);
    },
  };
  return { ...section, id: name, plugin, overrides: NO_OVERRIDES, runs: true };
}

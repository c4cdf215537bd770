import { dirname } from 'node:path';
import { CATALOGUE_PLUGIN, checkRecord } from '../../config/adapter-record.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import type { Fault } from '../../core/fault.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { valueAt, pointerTokens } from '../../core/pointer.js';
import { cataloguePackage } from '../../adapters/catalogue-package.js';
import { desireAdapter, type DesireDeps } from './check-adapter.js';
import type { AdapterConfig } from './desired-state.js';
import { escapingPaths } from './path-escapes.js';
import { toConfigSection, type ConfigSection, locateFault } from './config-section.js';
import { referenceSyntax } from './reference-syntax.js';
import { withoutCiphertext } from './without-ciphertext.js';
import type { Reference } from '../../vault/reference.js';
import { secretPath } from '../../vault/secret-path.js';

/** The main file, as far as it matters here. */
interface Reserving extends Pick<ConfigSection, 'references'> {
  readonly written: Pick<ConfigSection['written'], 'value'>;
}

/**
 * Faults for references of a registered adapter to what the main file refers to, such as the key that tokens are checked
 * with: whoever may use the API chooses where an adapter sends its secrets.
 */
function reservedSecrets({ written, references }: ConfigSection, main: Reserving): readonly Fault[] {
  const mount = valueAt(main.written.value, '/vault/mount');
  const placeOf = ({ reference }: ConfigSection['references'][number]): FieldAddress => ({
    path: secretPath({ ...reference, version: null }, typeof mount === 'string' ? mount : 'secret').key,
    field: fieldOf(reference),
  });
  const reserved = main.references.map(placeOf);
  return references
    .filter((placed) => reserved.some((one) => meet(one, placeOf(placed))))
    .map(({ pointer }) => locateFault(written, { pointer, ...RESERVED }));
}

/** Where a reference leads, whichever version and encoding it asks for. */
interface FieldAddress {
  readonly path: string;
  /** Null: the only one that there is. */
  readonly field: string | null;
}

function meet(one: FieldAddress, other: FieldAddress): boolean {
  if (one.path !== other.path) return false;
  return one.field === null || other.field === null || one.field === other.field;
}

/** A pointer leads into a field. */
function fieldOf({ field }: Reference): string | null {
  return field?.startsWith('/') ? (pointerTokens(field)[0] ?? field) : field;
}

const RESERVED = {
  code: 'reserved_secret',
  message: 'refers to a secret of the main file, which is not for adapters that are registered',
  fix: 'Give the adapter a secret of its own.',
};

interface RecordDeps extends DesireDeps {
  /** Folder that the paths in a record are relative to: that of the files of adapters. */
  readonly folder: string;
  /** The main file, whose secrets are its own. */
  readonly main: Reserving;
}

/** Reads an adapter that was registered through the API as its file would be read, with everything that is wrong with it. */
export async function readRecord(
  document: AdapterDocument,
  deps: RecordDeps,
): Promise<{ readonly adapter?: AdapterConfig; readonly faults: readonly Fault[] }> {
  const { folder, main, compile } = deps;
  const place = `${folder}/${document.name}`;
  const catalogueFolder = catalogueFolderOf(document.model, deps);
  const check = { compile, syntax: referenceSyntax, catalogueFolder };
  const { written, faults } = checkRecord(document, place, check);
  const read = await desireAdapter(written, deps);
  const all = recordReader([...faults, ...read.faults]);
  const beyond =
    read.adapter && all.length === 0
      ? [...escapingPaths(read.adapter, folder), ...reservedSecrets(read.adapter, main)]
      : [];
  return { ...read, faults: withoutCiphertext([...all, ...beyond]) };
}

/** Without its plugin, nobody knows what the settings of an adapter should be: that fault alone helps. */
function recordReader(faults: readonly Fault[]): readonly Fault[] {
  const plugin = faults.filter(({ pointer }) => pointer === '/plugin');
  return plugin.length > 0 ? plugin : faults;
}

/** A plugin goes before a package of the catalogue. */
function catalogueFolderOf(model: string, { plugins, folder }: RecordDeps): string | undefined {
  if (plugins.has(model) || !plugins.has(CATALOGUE_PLUGIN)) return undefined;
  return cataloguePackage(model, dirname(folder));
}

/**
 * The registered adapters. What is wrong with one, it did not have when it was registered: it is dead, which says so, and
 * stands in nobody's way.
 */
export function readRecords(
  records: readonly NamedRecord[],
  deps: RecordDeps,
): Promise<readonly AdapterConfig[]> {
  return Promise.all(
    records.map(async (record) => {
      const { adapter, spoilt } = await readStored(record, deps);
      return { ...(adapter ?? withoutPlugin(record)), record, ...(spoilt !== undefined && { spoilt }) };
    }),
  );
}

async function readStored(
  { document }: NamedRecord,
  deps: RecordDeps,
): Promise<{ readonly adapter?: AdapterConfig; readonly spoilt?: string }> {
  // Another version, or another program, may have written it.
  if (typeof valueAt(document, '/properties/properties') !== 'object')
    return { spoilt: 'what the database holds of it is no adapter' };
  const { adapter, faults } = await readRecord(document as unknown as AdapterDocument, deps);
  const [first] = faults;
  return {
    ...(adapter && { adapter }),
    ...(first && { spoilt: `${first.pointer} ${first.message} [${first.code}]` }),
  };
}

/** Stands in for an adapter whose plugin is not there any more. */
function withoutPlugin({ name, document }: NamedRecord): AdapterConfig {
  const type = String(document['model']);
  const place = { file: name, value: {}, faults: [], sound: true };
  const locate = () => ({ line: 0, column: 0 });
  const written = { document: { ...place, locate, locateKey: locate }, at: '', value: {}, secrets: [] };
  const { piece: section } = toConfigSection(name, written, () => ({
    violations: [],
    secrets: [],
    paths: [],
  }));
  const plugin: AdapterPlugin = {
    type,
    apiVersion: 1,
    summary: 'Is not there.',
    options: {},
    create() {
      throw new Error(`there is no plugin "${type}"`);
    },
  };
  return { ...section, id: name, plugin };
}

import { adapterDocument, type AdapterDocument } from '../core/adapter-document.js';
import type { CompileSchema } from '../core/schema.js';
import { valueAt, withValues } from '../json/pointer.js';
import { adapterSchema } from '../settings/adapter.js';
import { checkWritten, type ReferenceSyntax, type Written, type CheckedPart } from './check-written.js';
import type { WrittenDocument } from './document.js';

const SETTINGS_POINTER = '/properties/properties';

type SourcePositions = readonly (readonly [key: string, place: string])[];

/** Pointers into an adapter file, with the corresponding pointers into the document that clients send. */
const POINTERS: SourcePositions = [
  ['/plugin', '/model'],
  ['/brokers', '/properties/brokers'],
  ['/groups', '/properties/groups'],
  ['/tags', '/properties/tags'],
];

/** Plugin that runs adapters of the public catalog. Clients name the adapter's npm package as the model. */
export const CATALOGUE_PLUGIN = 'itential-adapter';

/** The same pairs for a model that is a catalog package; its settings are the properties of that adapter. */
const CATALOG_POINTERS: SourcePositions = [
  ...POINTERS,
  ['/options/folder', '/model'],
  ['/options/properties', SETTINGS_POINTER],
  ['/baseUrl', `${SETTINGS_POINTER}/host`],
];

/**
 * Returns the file form of an adapter document. `folder` is the folder of the catalog adapter that the model
 * names.
 */
export function fileFormOf({ model, properties }: AdapterDocument, folder?: string): Record<string, unknown> {
  const { brokers, groups, tags, properties: own } = properties;
  const lists = { brokers, groups, ...(tags && { tags }) };
  if (folder === undefined) return { ...own, plugin: model, ...lists };
  const options = { folder, properties: own };
  return { plugin: CATALOGUE_PLUGIN, baseUrl: displayUrlOf(own), options, ...lists };
}

/**
 * Returns true for a document whose model is the package of a catalog adapter, according to its file form.
 */
export function isCatalogued({ model }: { readonly model?: unknown }, fileForm: unknown): boolean {
  return model !== CATALOGUE_PLUGIN && valueAt(fileForm, '/plugin') === CATALOGUE_PLUGIN;
}

/** Returns the address of a catalog adapter for people to read. The adapter itself uses its own settings. */
function displayUrlOf({ protocol, host, port }: Readonly<Record<string, unknown>>): string {
  const scheme = protocol === 'http' ? 'http' : 'https';
  const name = typeof host === 'string' && /^[A-Za-z0-9.-]{1,253}$/.test(host) ? host : '';
  const url = `${scheme}://${name}${typeof port === 'number' ? `:${port}` : ''}`;
  return URL.canParse(url) ? url : 'https://unknown.invalid';
}

/** Returns the document of an adapter from a file. Plaintext secrets are left empty. */
export function documentOf(
  name: string,
  { document, at, secrets, converted = new Map() }: Written,
  { isReference }: ReferenceSyntax,
): AdapterDocument {
  const value = withValues(valueAt(document.value, at), converted);
  const plaintextPointers = secrets.filter((pointer) => !isReference(String(valueAt(value, pointer))));
  const shown = withValues(value, new Map(plaintextPointers.map((pointer) => [pointer, ''])));
  const { plugin, brokers = [], groups = [], tags, ...rest } = shown as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'log'));
  return adapterDocument(
    { name, model: String(plugin) },
    {
      brokers: brokers as readonly string[],
      groups: groups as readonly unknown[],
      ...(Array.isArray(tags) && tags.length > 0 && { tags: tags as readonly string[] }),
      properties: own,
    },
  );
}

/** Converts a pointer into the file form to a pointer into the document. */
export function placeInRecord(pointer: string, document: AdapterDocument, fileForm: unknown): string {
  const pointers = isCatalogued(document, fileForm) ? CATALOG_POINTERS : POINTERS;
  const found = pointers.find(([key]) => pointer === key || pointer.startsWith(`${key}/`));
  return found ? found[1] + pointer.slice(found[0].length) : SETTINGS_POINTER + pointer;
}

/** Dependencies of {@link checkRecord}. */
interface RecordCheck {
  readonly compile: CompileSchema;
  readonly syntax: ReferenceSyntax;
  /** Folder of the catalog adapter that the model names, if any. */
  readonly catalogueFolder?: string | undefined;
}

/** Checks an adapter that is not in a file. `file` determines the folder that its paths are relative to. */
export function checkRecord(
  document: AdapterDocument,
  file: string,
  { compile, syntax, catalogueFolder }: RecordCheck,
): CheckedPart {
  const value = fileFormOf(document, catalogueFolder);
  const place = { id: document.name, document: unfiled(file, value), at: '', value };
  return checkWritten(place, { validate: compile(adapterSchema), syntax });
}

/** Wraps a value that is not in a file. Its faults have a pointer but no line. */
function unfiled(file: string, value: unknown): WrittenDocument {
  const locate = () => ({ line: 0, column: 0 });
  return { file, value, locate, locateKey: locate, faults: [], sound: true };
}

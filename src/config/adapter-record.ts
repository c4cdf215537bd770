import { adapterDocument, type AdapterDocument } from '../core/adapter-document.js';
import type { Fault } from '../core/fault.js';
import { valueAt, withValues } from '../core/pointer.js';
import type { CompileSchema } from '../core/schema.js';
import { adapterSchema } from './adapter-schema.js';
import { checkWritten, type ReferenceSyntax, type Written } from './check-written.js';
import type { WrittenDocument } from './document.js';

const INNER = '/properties/properties';

type SourcePositions = readonly (readonly [key: string, place: string])[];

/** Where a key of an adapter's file stands in the document that clients send. */
const PLACES: SourcePositions = [
  ['/plugin', '/model'],
  ['/brokers', '/properties/brokers'],
  ['/groups', '/properties/groups'],
];

/** The plugin that runs adapters of the public catalogue: clients name the adapter's npm package as the model. */
export const CATALOGUE_PLUGIN = 'itential-adapter';

/** The same where the model is such a package, whose settings are those of the adapter itself. */
const CATALOGUE_PLACES: SourcePositions = [
  ...PLACES,
  ['/options/folder', '/model'],
  ['/options/properties', INNER],
  ['/baseUrl', `${INNER}/host`],
];

/** The same adapter as its file would say it; `folder` is that of the catalogue adapter which the model names. */
export function fileFormOf({ model, properties }: AdapterDocument, folder?: string): Record<string, unknown> {
  const { brokers, groups, properties: own } = properties;
  if (folder === undefined) return { ...own, plugin: model, brokers, groups };
  const options = { folder, properties: own };
  return { plugin: CATALOGUE_PLUGIN, baseUrl: addressIn(own), options, brokers, groups };
}

/** True for a document whose model is the package of a catalogue adapter, as its file form tells. */
export function isCatalogued({ model }: { readonly model?: unknown }, fileForm: unknown): boolean {
  return model !== CATALOGUE_PLUGIN && valueAt(fileForm, '/plugin') === CATALOGUE_PLUGIN;
}

/** For people: where a catalogue adapter says that it connects to. It takes what it needs from its own settings. */
function addressIn({ protocol, host, port }: Readonly<Record<string, unknown>>): string {
  const scheme = protocol === 'http' ? 'http' : 'https';
  const name = typeof host === 'string' && /^[A-Za-z0-9.-]{1,253}$/.test(host) ? host : '';
  const url = `${scheme}://${name}${typeof port === 'number' ? `:${port}` : ''}`;
  return URL.canParse(url) ? url : 'https://unknown.invalid';
}

/** The document of an adapter that stands in a file. A secret that stands there in plain text is left empty. */
export function documentOf(
  name: string,
  { document, at, secrets }: Written,
  { isReference }: ReferenceSyntax,
): AdapterDocument {
  const value = valueAt(document.value, at);
  const bare = secrets.filter((pointer) => !isReference(String(valueAt(value, pointer))));
  const shown = withValues(value, new Map(bare.map((pointer) => [pointer, ''])));
  const { plugin, brokers = [], groups = [], ...rest } = shown as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'log'));
  return adapterDocument(
    { name, model: String(plugin) },
    { brokers: brokers as readonly string[], groups: groups as readonly unknown[], properties: own },
  );
}

/** Pointer into a document for one into its file form. */
export function placeInRecord(pointer: string, document: AdapterDocument, fileForm: unknown): string {
  const places = isCatalogued(document, fileForm) ? CATALOGUE_PLACES : PLACES;
  const found = places.find(([key]) => pointer === key || pointer.startsWith(`${key}/`));
  return found ? found[1] + pointer.slice(found[0].length) : INNER + pointer;
}

/** What the check of a record needs besides the record. */
export interface RecordCheck {
  readonly compile: CompileSchema;
  readonly syntax: ReferenceSyntax;
  /** Folder of the catalogue adapter that the model names, where it names one. */
  readonly catalogueFolder?: string | undefined;
}

/** Checks an adapter that no file says; `file` tells which folder its paths would be relative to. */
export function checkRecord(
  document: AdapterDocument,
  file: string,
  { compile, syntax, catalogueFolder }: RecordCheck,
): { readonly written: Written & { readonly id: string }; readonly faults: readonly Fault[] } {
  const value = fileFormOf(document, catalogueFolder);
  const place = { document: unfiled(file, value), at: '', value };
  const { written, faults } = checkWritten(place, { validate: compile(adapterSchema), syntax });
  return { written: { ...written, id: document.name }, faults };
}

/** A document that stands in no file: its faults have a pointer and no line. */
function unfiled(file: string, value: unknown): WrittenDocument {
  const locate = () => ({ line: 0, column: 0 });
  return { file, value, locate, locateKey: locate, faults: [], sound: true };
}

import { dirname } from 'node:path';
import type { Plugins } from '../../adapters/plugins.js';
import { placeInRecord, documentOf } from '../../config/adapter-record.js';
import { type AdapterDocument, adapterDocument, packageModelOf } from '../../core/adapter-document.js';
import type { Fault } from '../../core/fault.js';
import { loggerPropsOf } from '../../core/log-levels.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { andMoreErrors, Problem, type RequestError } from '../../core/problem.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { withFix } from '../../lib/sentence.js';
import { findReferences } from '../../secrets/find-references.js';
import {
  adapterFolder,
  isListedBy,
  referenceSyntax,
  type AdapterConfig,
} from '../../server/state/configuration.js';
import { levelsOf } from '../../server/state/log-levels.js';
import { readRecord, registeredModelOf } from '../../server/state/read-records.js';
import type { ActiveSnapshot, BuildDeps } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { tryWithoutSecrets } from '../../server/state/try-adapter.js';
import { explainPlatformSettings } from './platform-settings.js';
import type { AdapterDirectory, AdapterView } from './require-adapter.js';
import { copyReferences, misdirectedReferences, type SealDeps, sealRecord } from './store-inline-secrets.js';

interface DirectoryDeps extends BuildDeps {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly plugins: Plugins;
  readonly secretStorage: SecretStorage;
}

/** The storage of secrets that clients send in plain text. */
export type SecretStorage = Omit<SealDeps, 'desired'>;

export function createAdapterDirectory(deps: DirectoryDeps): AdapterDirectory {
  const { current, plugins } = deps;
  return {
    list: () => adapterViews(current.current(), plugins),
    find: (name) => adapterView(current.current(), name, plugins),
    storedDocument: (name, document) => storedDocument({ name, document }),
    pending: () => current.current().desired.state.pending,
    async admit(sent, { mayBeUndone } = {}) {
      const { document, adapter, isBlank } = await readRequest(sent, deps);
      const secretStorage = { ...deps.secretStorage, mayBeUndone };
      return adapter && !isBlank ? seal(document, adapter, { ...deps, secretStorage }) : document;
    },
  };
}

/** A valid document with its adapter; without settings, the plugin may be all that is known. */
interface ReadRequest extends RegistrationRequest {
  readonly isBlank: boolean;
}

/** Reads a document that a client sent. Throws `invalid_request` with the faults that do not depend on secrets. */
async function readRequest(sent: AdapterDocument, deps: DirectoryDeps): Promise<ReadRequest> {
  const { current, plugins } = deps;
  const { desired } = current.current();
  const home = dirname(desired.main.written.document.file);
  const request = withPluginType(sent, plugins, home);
  const encrypted = ignoredCiphertext(request);
  if (encrypted.length > 0) throw invalidRequestProblem(encrypted);
  const previous = desired.adapters.find(({ id }) => id === request.name);
  const copy = copyReferences(request, previous);
  const { document } = copy;
  const { adapter, faults } = await read(document, deps);
  const misdirected = adapter ? misdirectedReferences(copy, adapter.written.value, previous) : [];
  if (misdirected.length > 0) throw invalidRequestProblem(misdirected);
  // Clients register first and configure later. Until then the adapter is dead.
  const isBlank = Object.keys(document.properties.properties).length === 0;
  throwIfFaulty(
    { document, adapter },
    isBlank ? faults.filter(({ pointer }) => pointer === '/plugin') : faults,
  );
  return { document, adapter, isBlank };
}

/**
 * Returns a document that a client sent as an adapter, without storing anything. Refuses exactly what {@link AdapterDirectory.admit}
 * refuses, and a document without settings. Throws `adapter_in_file` for the name of an adapter of a file: the name decides
 * which secrets a document may refer to.
 */
export async function readUnsavedAdapter(sent: AdapterDocument, deps: DirectoryDeps): Promise<AdapterConfig> {
  const named = deps.current.current().desired.adapters.find(({ id }) => id === sent.name);
  if (named && !named.record) {
    const { file } = named.written.document;
    throw new Problem(
      'adapter_in_file',
      `the file ${file} defines the adapter "${named.id}"; test it by its name`,
    );
  }
  const { document, adapter, isBlank } = await readRequest(sent, deps);
  if (!adapter || isBlank) {
    const pointer = '/properties/properties/properties';
    throw invalidRequestProblem([{ pointer, message: 'must have settings' }]);
  }
  const { desired } = deps.current.current();
  const sealed = sealRecord(document, adapter, { ...deps.secretStorage, desired });
  if ('errors' in sealed) throw invalidRequestProblem(sealed.errors);
  throwIfFaulty({ document, adapter }, await tryWithoutSecrets(adapter, desired.main, deps));
  return adapter;
}

/**
 * Returns the document with the plugin's type as its model, if the model is another name of a plugin, or with the name of the
 * package, if the model is the type of a catalog adapter. `home` is the folder of the configuration.
 */
function withPluginType(document: AdapterDocument, plugins: Plugins, home: string): AdapterDocument {
  const { model, properties } = document;
  const type = registeredModelOf(model, plugins, home);
  // The type of the properties is the model if the client sent none.
  const ownType = properties.type === model ? type : properties.type;
  return { ...document, model: type, properties: { ...properties, type: ownType } };
}

function read(
  document: AdapterDocument,
  { current, plugins, factories }: DirectoryDeps,
): ReturnType<typeof readRecord> {
  const { main } = current.current().desired.files;
  const folder = adapterFolder(main.written.document.file);
  return readRecord(document, { plugins, compile: factories.compile, folder, main });
}

/** Replaces the secrets of a document by references, tests the adapter, and then writes the secrets to Vault. */
async function seal(
  document: AdapterDocument,
  adapter: AdapterConfig,
  deps: DirectoryDeps,
): Promise<AdapterDocument> {
  const { desired } = deps.current.current();
  const sealed = sealRecord(document, adapter, { ...deps.secretStorage, desired });
  if ('errors' in sealed) throw invalidRequestProblem(sealed.errors);
  const reread = await read(sealed.document, deps);
  throwIfFaulty(
    { document, adapter },
    reread.adapter ? await tryWithoutSecrets(reread.adapter, desired.main, deps) : reread.faults,
  );
  await sealed.store();
  return sealed.document;
}

/** A requested document, with its adapter if the plugin is known. */
interface RegistrationRequest {
  readonly document: AdapterDocument;
  readonly adapter: AdapterConfig | undefined;
}

/** Throws the faults as a Problem, with pointers that are relative to the body of the request. */
function throwIfFaulty({ document, adapter }: RegistrationRequest, faults: readonly Fault[]): void {
  const asError = (fault: Fault): RequestError => {
    const target = placeInRecord(fault.pointer, document, adapter?.written.value);
    return { pointer: `/properties${target}`, message: withFix(fault) };
  };
  if (faults.length > 0) throw invalidRequestProblem(explainPlatformSettings(document, faults.map(asError)));
}

/** Returns errors for encrypted values in members of the document that are stored, but not part of the adapter. */
function ignoredCiphertext({ properties: { type }, loggerProps }: AdapterDocument): readonly RequestError[] {
  const { faults } = findReferences({ properties: { type }, loggerProps }, '/properties');
  return faults
    .filter(({ code }) => code === 'ENC_REJECTED')
    .map((fault) => ({ pointer: fault.pointer, message: withFix(fault) }));
}

function invalidRequestProblem(errors: readonly RequestError[]): Problem {
  const [first, ...others] = errors;
  const more = andMoreErrors(others.length);
  return new Problem('invalid_request', `${first?.pointer ?? ''} ${first?.message ?? ''}${more}`, { errors });
}

/** Returns the adapters of a snapshot as clients see them, in the order of the configuration. */
export function adapterViews(
  snapshot: ActiveSnapshot,
  plugins: Pick<Plugins, 'types'>,
): readonly AdapterView[] {
  const { adapters, state } = snapshot.desired;
  const terms = { plugins, isListed: isListedBy(state.profile) };
  return adapters.flatMap((desired) => viewOf(desired, snapshot, terms) ?? []);
}

/** Returns the view of an adapter; undefined if it does not exist. */
function adapterView(snapshot: ActiveSnapshot, name: string, plugins: Plugins): AdapterView | undefined {
  const { adapters, state } = snapshot.desired;
  const desired = adapters.find(({ id }) => id === name);
  return desired && viewOf(desired, snapshot, { plugins, isListed: isListedBy(state.profile) });
}

interface ViewTerms {
  readonly plugins: Pick<Plugins, 'types'>;
  readonly isListed: (id: string) => boolean;
}

function viewOf(
  desired: AdapterConfig,
  snapshot: ActiveSnapshot,
  { plugins, isListed }: ViewTerms,
): AdapterView | undefined {
  const { id, record, written } = desired;
  const instance = snapshot.adapters.get(id);
  if (!instance) return undefined;
  const outdated = snapshot.outdated.get(id);
  const document = documentOfAdapter(desired, snapshot);
  return {
    document,
    model: plugins.types.includes(document.model) ? packageModelOf(document.model) : document.model,
    isActive: isListed(id),
    instance,
    ...(outdated !== undefined && { behind: outdated }),
    ...(record ? { revision: record.revision } : { file: written.document.file }),
  };
}

/** Returns the document of an adapter of a file. Omits the options if the plugin, which marks secrets, cannot be used. */
function documentOfFile({ id, written, pluginFault }: AdapterConfig): AdapterDocument {
  const document = documentOf(id, written, referenceSyntax);
  if (pluginFault === undefined) return document;
  const settings = Object.entries(document.properties.properties).filter(([key]) => key !== 'options');
  return { ...document, properties: { ...document.properties, properties: Object.fromEntries(settings) } };
}

function documentOfAdapter(desired: AdapterConfig, { logLevel }: ActiveSnapshot): AdapterDocument {
  const { record } = desired;
  const document = record ? storedDocument(record) : documentOfFile(desired);
  return { ...document, loggerProps: loggerPropsOf(levelsOf(desired, logLevel), document.loggerProps) };
}

/**
 * Returns the document of a record, also if another version of this server wrote an invalid record. Clients must be able to list
 * and delete such an adapter, which is dead.
 */
function storedDocument({ name, document }: Pick<NamedRecord, 'name' | 'document'>): AdapterDocument {
  const properties = parseStoredObject(document['properties']);
  const model = textOf(document['model'], '');
  const tags = textsOf(properties['tags']);
  const stored = {
    type: textOf(properties['type'], model),
    brokers: textsOf(properties['brokers']),
    groups: listOf(properties['groups']),
    ...(tags.length > 0 && { tags }),
    properties: parseStoredObject(properties['properties']),
  };
  return {
    ...adapterDocument({ name, model }, stored),
    isEncrypted: document['isEncrypted'] !== false,
    loggerProps: parseStoredObject(document['loggerProps']),
  };
}

/** Returns an empty object for every other value. */
function parseStoredObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((text) => typeof text === 'string');
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

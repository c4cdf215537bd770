import { placeInRecord, documentOf } from '../../config/adapter-record.js';
import type { AdapterDirectory, AdapterView } from '../../core/adapter-directory.js';
import { type AdapterDocument, adapterDocument } from '../../core/adapter-document.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import { valueAt } from '../../core/pointer.js';
import { Problem, type RequestError } from '../../core/problem.js';
import type { BuildInput } from './build-input.js';
import { adapterFolder, listedIn } from './apply-overrides.js';
import type { SnapshotHolder } from './snapshot-holder.js';
import type { AdapterConfig, DesiredAdapter } from './desired-state.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import type { Plugins } from '../../adapters/plugins.js';
import { locateFault } from './config-section.js';
import { findReferences } from '../../vault/find-references.js';
import { VAULT_NOT_CONFIGURED } from '../../vault/open-secrets.js';
import { readRecord } from './read-records.js';
import { copyReferences, type SealDeps, sealRecord } from './store-inline-secrets.js';
import { resolveSections } from './resolve-sections.js';
import { placeholderSecrets } from './placeholder-secrets.js';
import { tryAdapter, withoutPlaceholders } from './try-adapter.js';
import { loggerPropsOf } from '../../core/logger-props.js';
import { levelsOf } from './log-levels.js';
import { referenceSyntax } from './reference-syntax.js';
import { isJsonObject, type JsonObject } from '../../core/json-object.js';
import type { NamedRecord } from '../../core/platform-state.js';

interface DirectoryDeps extends Omit<BuildInput, 'desired'> {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly plugins: Plugins;
  readonly secretStorage: SecretStorage;
}

/** What becomes of secrets that come in plain text. */
export type SecretStorage = Omit<SealDeps, 'desired'>;

/** The adapters as the management API sees them. */
export function createAdapterDirectory(deps: DirectoryDeps): AdapterDirectory {
  const { current } = deps;
  return {
    list: () => adapterViews(current.current()),
    find: (name) => adapterView(current.current(), name),
    async admit(asked) {
      const encrypted = encryptedAside(asked);
      if (encrypted.length > 0) throw duplicateProblem(encrypted);
      const { desired } = current.current();
      const previous = desired.adapters.find(({ id }) => id === asked.name);
      const document = copyReferences(asked, previous);
      const { adapter, faults } = await read(document, deps);
      // Clients register first and configure later: until then the adapter is dead, and says so.
      const isBlank = Object.keys(document.properties.properties).length === 0;
      refuse({ document, adapter }, isBlank ? faults.filter(({ pointer }) => pointer === '/plugin') : faults);
      return adapter && !isBlank ? seal(document, adapter, deps) : document;
    },
  };
}

function read(
  document: AdapterDocument,
  { current, plugins, factories }: DirectoryDeps,
): ReturnType<typeof readRecord> {
  const { main } = current.current().desired.files;
  const folder = adapterFolder(main.written.document.file);
  return readRecord(document, { plugins, compile: factories.compile, folder, main });
}

/** Secrets leave the document before anything is made of it, and go to Vault when nothing stands in the way any more. */
async function seal(
  document: AdapterDocument,
  adapter: AdapterConfig,
  deps: DirectoryDeps,
): Promise<AdapterDocument> {
  const { desired } = deps.current.current();
  const sealed = sealRecord(document, adapter, { ...deps.secretStorage, desired });
  if ('errors' in sealed) throw duplicateProblem(sealed.errors);
  const again = await read(sealed.document, deps);
  refuse({ document, adapter }, again.adapter ? await tryRecord(again.adapter, deps) : again.faults);
  await sealed.store();
  return sealed.document;
}

async function tryRecord(adapter: AdapterConfig, deps: DirectoryDeps): Promise<readonly Fault[]> {
  const { desired } = deps.current.current();
  if (!valueAt(desired.main.written.value, '/vault') && adapter.references.length > 0)
    return withoutVault(adapter);
  const resolved = await resolveSections([adapter], placeholderSecrets);
  const found = await tryAdapter({ ...adapter, overrides: NO_OVERRIDES, runs: true }, resolved(adapter), {
    ...deps,
    desired,
  });
  return withoutPlaceholders(adapter, found);
}

/** What a caller asks for, and what was made of it as far as that is possible. */
interface RegistrationRequest {
  readonly document: AdapterDocument;
  readonly adapter: AdapterConfig | undefined;
}

function refuse({ document, adapter }: RegistrationRequest, faults: readonly Fault[]): void {
  const asError = ({ pointer, message, fix }: Fault): RequestError => {
    const place = placeInRecord(pointer, document, adapter?.written.value);
    return { pointer: `/properties${place}`, message: `${message}. ${fix}` };
  };
  if (faults.length > 0) throw duplicateProblem(faults.map(asError));
}

/** Encrypted values in what no file of an adapter has, and nothing here reads. */
function encryptedAside({ properties: { type }, loggerProps }: AdapterDocument): readonly RequestError[] {
  const { faults } = findReferences({ properties: { type }, loggerProps }, '/properties');
  return faults
    .filter(({ code }) => code === 'ENC_REJECTED')
    .map(({ pointer, message, fix }) => ({ pointer, message: `${message}. ${fix}` }));
}

function duplicateProblem(errors: readonly RequestError[]): Problem {
  const [first, ...others] = errors;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new Problem('invalid_request', `${first?.pointer ?? ''} ${first?.message ?? ''}${more}`, { errors });
}

function withoutVault({ written, references }: AdapterConfig): readonly Fault[] {
  return references.map(({ pointer }) => locateFault(written, { pointer, ...VAULT_NOT_CONFIGURED }));
}

/** The adapters of a snapshot as clients see them, in the order of the configuration. */
export function adapterViews(snapshot: ActiveSnapshot): readonly AdapterView[] {
  const { adapters, state } = snapshot.desired;
  const isListed = listedIn(state.profile);
  return adapters.flatMap((desired) => viewOf(desired, snapshot, isListed) ?? []);
}

/** The view of one adapter. */
function adapterView(snapshot: ActiveSnapshot, name: string): AdapterView | undefined {
  const { adapters, state } = snapshot.desired;
  const desired = adapters.find(({ id }) => id === name);
  return desired && viewOf(desired, snapshot, listedIn(state.profile));
}

function viewOf(
  desired: DesiredAdapter,
  snapshot: ActiveSnapshot,
  isListed: (id: string) => boolean,
): AdapterView | undefined {
  const { id, record, written } = desired;
  const instance = snapshot.adapters.get(id);
  if (!instance) return undefined;
  const behind = snapshot.outdated.get(id);
  return {
    document: shown(desired, snapshot),
    isActive: isListed(id),
    instance,
    ...(behind !== undefined && { behind }),
    ...(record ? { revision: record.revision } : { file: written.document.file }),
  };
}

/** As the file says it; without the options of a plugin that cannot tell which of them are secrets. */
function filed({ id, written, unusable }: DesiredAdapter): AdapterDocument {
  const document = documentOf(id, written, referenceSyntax);
  if (unusable === undefined) return document;
  const own = Object.entries(document.properties.properties).filter(([key]) => key !== 'options');
  return { ...document, properties: { ...document.properties, properties: Object.fromEntries(own) } };
}

/** Levels in use stand where clients look for them. */
function shown(desired: DesiredAdapter, { logLevel }: ActiveSnapshot): AdapterDocument {
  const { record } = desired;
  const kept = record ? keptDocument(record) : filed(desired);
  return { ...kept, loggerProps: loggerPropsOf(levelsOf(desired, logLevel), kept.loggerProps) };
}

/**
 * What the database holds of an adapter, as one whatever it is: another version may have written it. The adapter is dead
 * then, and those who list adapters must be able to see that, and to delete it.
 */
function keptDocument({ name, document }: Pick<NamedRecord, 'name' | 'document'>): AdapterDocument {
  const properties = parseStoredObject(document['properties']);
  const model = textOf(document['model'], '');
  const said = {
    type: textOf(properties['type'], model),
    brokers: listOf(properties['brokers']).filter((broker) => typeof broker === 'string'),
    groups: listOf(properties['groups']),
    properties: parseStoredObject(properties['properties']),
  };
  return {
    ...adapterDocument({ name, model }, said),
    isEncrypted: document['isEncrypted'] !== false,
    loggerProps: parseStoredObject(document['loggerProps']),
  };
}

/** A text, a list or nothing has no members to look for. */
function parseStoredObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, preset: string): string {
  return typeof value === 'string' ? value : preset;
}

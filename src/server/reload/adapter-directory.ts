import { placeInRecord } from '../../config/adapter-record.js';
import type { AdapterDirectory } from '../../core/adapter-directory.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import { valueAt } from '../../core/pointer.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { adapterView, adapterViews } from './adapter-views.js';
import type { BuildInput } from './build-input.js';
import { adapterFolder } from './apply-overrides.js';
import type { SnapshotHolder } from './snapshot-holder.js';
import type { AdapterConfig } from './desired-state.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import type { Plugins } from '../../adapters/plugins.js';
import { locateFault } from './config-section.js';
import { findReferences } from '../../vault/find-references.js';
import { VAULT_NOT_CONFIGURED } from '../../vault/open-secrets.js';
import { readRecord } from './read-records.js';
import { copyReferences, type SealDeps, sealRecord } from './store-inline-secrets.js';
import { resolvePieces } from './resolve-sections.js';
import { placeholderSecrets } from './placeholder-secrets.js';
import { tryAdapter, withoutStandIns } from './try-adapter.js';

export interface DirectoryDeps extends Omit<BuildInput, 'desired'> {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly plugins: Plugins;
  readonly sealing: SecretStorage;
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
  { current, plugins, rooms }: DirectoryDeps,
): ReturnType<typeof readRecord> {
  const { main } = current.current().desired.files;
  const folder = adapterFolder(main.written.document.file);
  return readRecord(document, { plugins, compile: rooms.compile, folder, main });
}

/** Secrets leave the document before anything is made of it, and go to Vault when nothing stands in the way any more. */
async function seal(
  document: AdapterDocument,
  adapter: AdapterConfig,
  deps: DirectoryDeps,
): Promise<AdapterDocument> {
  const { desired } = deps.current.current();
  const sealed = sealRecord(document, adapter, { ...deps.sealing, desired });
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
  const resolved = await resolvePieces([adapter], placeholderSecrets);
  const found = await tryAdapter({ ...adapter, overrides: NO_OVERRIDES, runs: true }, resolved(adapter), {
    ...deps,
    desired,
  });
  return withoutStandIns(adapter, found);
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

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugins } from '../../adapters/plugins.js';
import { CATALOGUE_PLUGIN } from '../../config/adapter-record.js';
import { asSettings } from '../../config/settings-schema.js';
import { type AdapterPolicy, adapterPolicy } from '../../core/access-policy.js';
import { NO_OVERRIDES } from '../../core/component.js';
import { type Log, silentLog } from '../../core/log.js';
import type { Redactor } from '../../core/secret.js';
import { valueAt } from '../../json/pointer.js';
import type { Scheduler } from '../../lib/clock.js';
import { createSerialQueue } from '../../lib/serial-queue.js';
import { PRODUCT_FOLDER } from '../../lib/version.js';
import type { SecretSource, SecretResolver } from '../../secrets/open-secrets.js';
import { accessAdapterOf } from '../../server/state/access-policies.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import type { AdapterFactories } from '../../server/state/factories.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { VaultSettings } from '../../settings/vault.js';
import type { CacheChanges } from '../cache/cache-changes.js';
import { createRecordIds } from '../lib/record-ids.js';
import type { Store } from '../store.js';
import { createAdapterDirectory, readUnsavedAdapter, type SecretStorage } from './adapter-directory.js';
import type { AdaptersDeps, ApplicationsDeps, LifecycleDeps } from './deps.js';
import { methodArguments } from './method-arguments.js';
import { createBindCall, createListMethods } from './method-list.js';
import { createWriteSecrets } from './store-inline-secrets.js';
import { createConnectionTester } from './test-connection.js';

const CHANGELOG = 'CHANGELOG.md';

/**
 * Returns a function that reads the changelog of a component. For an adapter, that is the changelog of its
 * plugin or of its catalogue adapter; for an application, the changelog of the product.
 */
function changelogs({
  current,
  plugins,
}: {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly plugins: Plugins;
}): LifecycleDeps['changelogOf'] {
  return async (kind, name) => {
    if (kind === 'application') return readTextFile(CHANGELOG);
    const adapter = current.current().desired.adapters.find(({ id }) => id === name);
    if (!adapter) return undefined;
    const pluginName = pluginNameOf(adapter);
    const folder =
      pluginName === CATALOGUE_PLUGIN
        ? valueAt(adapter.written.value, '/options/folder')
        : plugins.folderOf(pluginName);
    if (typeof folder === 'string') return readTextFile(join(folder, CHANGELOG));
    return readTextFile(`plugins/${encodeURIComponent(pluginName)}/${CHANGELOG}`);
  };
}

/** Returns the name by which the configuration names the plugin of an adapter: a folder or an npm package. */
function pluginNameOf({ written, plugin }: AdapterConfig): string {
  const name = valueAt(written.value, '/plugin');
  return typeof name === 'string' ? name : plugin.type;
}

/** Reads a file relative to the product folder; resolves to undefined if it cannot be read. */
async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(PRODUCT_FOLDER, path), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns the access rules for a test: those of the saved adapter, and those of the main configuration that select the adapter as
 * sent. Its own rules as sent do not count, because the sender chooses them.
 */
function policiesForTest(
  adapter: AdapterConfig,
  { access, desired }: ActiveSnapshot,
): readonly AdapterPolicy[] {
  const { access: rules } = asSettings(desired.main.written.value);
  const saved = access.get(adapter.id);
  const sent = adapterPolicy({ ...accessAdapterOf(adapter), access: [] }, rules);
  return saved ? [saved, sent] : [sent];
}

interface ComponentsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloader: ConfigReloader;
  readonly store: Store;
  readonly plugins: Plugins;
  /** Adapter factories of the command `check`, which open no connections. */
  readonly factories: AdapterFactories;
  /** Adapter factories of the running adapters, which open the connections of tests. */
  readonly runningFactories: AdapterFactories;
  readonly secrets: SecretResolver;
  readonly redactor: Redactor;
  readonly clock: Scheduler;
  readonly secretStorage: SecretStorage;
  readonly cacheChanges: CacheChanges;
  readonly log: Log;
}

/** Creates the dependencies of the operations on adapters and on applications. */
export function componentsOf(
  input: ComponentsInput,
  { leaseAdapter, renew }: Pick<AdaptersDeps, 'leaseAdapter' | 'renew'>,
): {
  readonly adapters: AdaptersDeps;
  readonly applications: ApplicationsDeps;
} {
  const { current, reloader, store, plugins, factories, clock, secretStorage } = input;
  const directory = { current, plugins, factories, clock, secretStorage, log: silentLog };
  const { platform } = store;
  const lifecycle: LifecycleDeps = {
    overrides: (component, change, act) => platform.overrides(component, change, act),
    apply: reloader.applyRecords,
    now: () => clock.now(),
    changelogOf: changelogs({ current, plugins }),
  };
  return {
    adapters: {
      ...lifecycle,
      adapters: createAdapterDirectory(directory),
      policies: () => current.current().access,
      connections: createConnectionTester({
        factories: input.runningFactories,
        secrets: input.secrets,
        redactor: input.redactor,
        clock,
        log: input.log,
        readUnsaved: (document) => readUnsavedAdapter(document, directory),
        findSaved: (name) => current.current().desired.adapters.find(({ id }) => id === name),
        policiesOf: (adapter) => policiesForTest(adapter, current.current()),
      }),
      adapterRecords: platform.adapters,
      commits: platform,
      newRecordId: createRecordIds(clock),
      runInTurn: createSerialQueue(),
      leaseAdapter,
      renew,
      forgetReplies: (adapter) => input.cacheChanges.report({ adapter, path: null }),
      listMethods: createListMethods(current.lease),
      bindCall: createBindCall(current.lease),
      methodArguments,
    },
    applications: {
      ...lifecycle,
      applications() {
        const { applications, desired, logLevel } = current.current();
        const { application: overrides } = desired.state.overrides;
        return [...applications.values()].map((application) => ({
          ...application,
          overrides: overrides.get(application.name) ?? NO_OVERRIDES,
          presetLevel: logLevel,
        }));
      },
    },
  };
}

/**
 * Creates the storage for plain-text secrets that clients send. The storage refuses them unless the operator
 * enabled writing to Vault.
 */
export function createSecretStorage(
  vault: VaultSettings | null,
  {
    secrets,
    redactor,
    log,
  }: { readonly secrets: SecretSource; readonly redactor: Redactor; readonly log: Log },
): SecretStorage {
  const mount = vault?.mount ?? 'secret';
  return { redactor, mount, ...(vault?.writeLiterals && { keep: createWriteSecrets(secrets, log) }) };
}

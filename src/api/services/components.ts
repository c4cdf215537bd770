import { randomBytes } from 'node:crypto';
import type { AdaptersDeps, ApplicationsDeps } from '../components/deps.js';
import { changelogs } from './changelogs.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { type Log, silentLog } from '../../core/log.js';
import type { Redactor } from '../../core/redactor.js';
import type { VaultSettings } from '../../core/settings.js';
import { createWriteSecrets } from '../../server/reload/write-secrets.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { createRecordIds } from '../../core/ids.js';
import type { ConfigReloader } from '../../server/reload/config-reloader.js';
import { createAdapterDirectory, type SecretStorage } from '../../server/reload/adapter-directory.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { Plugins } from '../../adapters/plugins.js';
import type { AdapterFactories } from '../../adapters/factories.js';
import { createSerialQueue } from '../../core/lib/serial-queue.js';
import type { Store } from '../../storage/store.js';

export interface ComponentsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloading: Pick<ConfigReloader, 'applyRecords'>;
  readonly store: Store;
  readonly plugins: Plugins;
  /** Those of `check`, which open nothing. */
  readonly rooms: AdapterFactories;
  readonly clock: Scheduler;
  readonly sealing: SecretStorage;
}

/** What the management of adapters and applications works with. */
export function componentsOf(input: ComponentsInput): AdaptersDeps & ApplicationsDeps {
  const { current, reloading, store, plugins, rooms, clock, sealing } = input;
  const { platform } = store;
  return {
    adapters: createAdapterDirectory({ current, plugins, rooms, clock, sealing, log: silentLog }),
    adapterRecords: platform.adapters,
    newRecordId: createRecordIds({ now: () => clock.now(), random: randomBytes(5) }),
    applications() {
      const { applications, desired, logLevel } = current.current();
      const { application: overrides } = desired.state.overrides;
      return [...applications.values()].map((one) => ({
        ...one,
        overrides: overrides.get(one.name) ?? NO_OVERRIDES,
        presetLevel: logLevel,
      }));
    },
    overrides: (component, change) => platform.overrides(component, change),
    apply: reloading.applyRecords,
    now: () => clock.now(),
    inTurn: createSerialQueue(),
    changelogOf: changelogs({ current }),
  };
}

/** What becomes of secrets that clients send in plain text: refused, unless the operator wants them in Vault. */
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

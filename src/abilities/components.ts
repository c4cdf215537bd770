import { randomBytes } from 'node:crypto';
import type { AdaptersDeps, ApplicationsDeps } from '../apps/components/deps.js';
import { changelogs } from './changelogs.js';
import { NO_OVERRIDES } from '../domain/component.js';
import type { Scheduler } from '../domain/clock.js';
import { type Log, silentLog } from '../domain/log.js';
import type { Redactor } from '../domain/redactor.js';
import type { VaultSettings } from '../domain/settings.js';
import { createWriteSecrets } from '../runtime/keep-secrets.js';
import type { SecretSource } from '../secrets/resolve.js';
import { createRecordIds } from '../domain/record-id.js';
import type { ConfigReloader } from '../keep-current.js';
import { createAdapterDirectory, type SecretStorage } from '../runtime/adapter-directory.js';
import type { SnapshotHolder } from '../runtime/current.js';
import type { ActiveSnapshot } from '../runtime/live-snapshot.js';
import type { Plugins } from '../runtime/plugins.js';
import type { AdapterFactories } from '../runtime/rooms.js';
import { createSerialQueue } from '../runtime/turns.js';
import type { Store } from '../storage/store.js';

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

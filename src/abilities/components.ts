import { randomBytes } from 'node:crypto';
import type { AdaptersDeps, ApplicationsDeps } from '../apps/components/deps.js';
import { changelogs } from './changelogs.js';
import { NO_WISH } from '../domain/component.js';
import type { Scheduler } from '../domain/clock.js';
import { type Log, silentLog } from '../domain/log.js';
import type { Redactor } from '../domain/redactor.js';
import type { VaultSettings } from '../domain/settings.js';
import { createKeepSecrets } from '../runtime/keep-secrets.js';
import type { SecretSource } from '../secrets/resolve.js';
import { createRecordIds } from '../domain/record-id.js';
import type { KeptCurrent } from '../keep-current.js';
import { createAdapterDirectory, type Sealing } from '../runtime/adapter-directory.js';
import type { Current } from '../runtime/current.js';
import type { LiveSnapshot } from '../runtime/live-snapshot.js';
import type { Plugins } from '../runtime/plugins.js';
import type { Rooms } from '../runtime/rooms.js';
import { createTurns } from '../runtime/turns.js';
import type { Store } from '../storage/store.js';

export interface ComponentsInput {
  readonly current: Current<LiveSnapshot>;
  readonly reloading: Pick<KeptCurrent, 'takeUpRecords'>;
  readonly store: Store;
  readonly plugins: Plugins;
  /** Those of `check`, which open nothing. */
  readonly rooms: Rooms;
  readonly clock: Scheduler;
  readonly sealing: Sealing;
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
      const { applications, desired, logLevel } = current.peek();
      const { application: wishes } = desired.state.wishes;
      return [...applications.values()].map((one) => ({
        ...one,
        wish: wishes.get(one.name) ?? NO_WISH,
        presetLevel: logLevel,
      }));
    },
    wish: (component, change) => platform.wish(component, change),
    takeUp: reloading.takeUpRecords,
    now: () => clock.now(),
    inTurn: createTurns(),
    changelogOf: changelogs({ current }),
  };
}

/** What becomes of secrets that clients send in plain text: refused, unless the operator wants them in Vault. */
export function sealingWith(
  vault: VaultSettings | null,
  {
    secrets,
    redactor,
    log,
  }: { readonly secrets: SecretSource; readonly redactor: Redactor; readonly log: Log },
): Sealing {
  const mount = vault?.mount ?? 'secret';
  return { redactor, mount, ...(vault?.writeLiterals && { keep: createKeepSecrets(secrets, log) }) };
}

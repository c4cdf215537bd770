import type { Fault } from '../../src/core/fault.js';
import { silentLog } from '../../src/core/log.js';
import { bindApplication, type Reply } from '../../src/core/operation.js';
import type { PlatformState, PlatformStore } from '../../src/core/platform-state.js';
import { openStore } from '../../src/features/open-store.js';
import type { ProfilesDeps } from '../../src/features/profiles/deps.js';
import { completeProfile, openProfile } from '../../src/features/profiles/index.js';
import { profiles } from '../../src/features/profiles/operations.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { createSerialQueue } from '../../src/lib/serial-queue.js';
import { createAdapterFactories } from '../../src/server/adapter-factories.js';
import { operationCall } from './operation-call.js';

/** Arguments of an operation. */
export interface ProfileCall {
  readonly id?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  /** The header `If-Match`. */
  readonly seen?: string;
}

/**
 * The profile operations with a store in memory. They apply the state that is in the store, unless `refuse`
 * returns faults.
 */
export interface ProfilesApi {
  call(operation: string, call?: ProfileCall): Promise<Reply>;
  readonly platform: PlatformStore;
  /** Applied states, each by its active profile. */
  readonly takenUp: readonly (PlatformState['profile'] | undefined)[];
  close(): Promise<void>;
}

/** Opens the profile operations. The adapters a, b and c run unless the active profile excludes them. */
export async function openProfilesApi(
  refuse: (state: PlatformState) => readonly Fault[] | Promise<readonly Fault[]> = () => [],
): Promise<ProfilesApi> {
  const store = await openStore('sqlite::memory:');
  const { platform } = store;
  const rooms = createAdapterFactories({ clock: systemScheduler, log: silentLog });
  const takenUp: PlatformState['profile'][] = [];
  let profile: PlatformState['profile'];
  let ids = 0;
  let pending: PlatformState['pending'] = [];
  const deps: ProfilesDeps = {
    platform,
    commits: platform,
    now: () => systemScheduler.now(),
    openProfile: (sent) => openProfile(sent, rooms),
    completeProfile: (document) => completeProfile(document, rooms),
    live() {
      const listed = (profile?.document['services'] ?? []) as readonly string[];
      const wanted = ['a', 'b', 'c'].filter((id) => listed.length === 0 || listed.includes(id));
      return { profile, pending, wanted, running: wanted };
    },
    async apply() {
      const state = await platform.read();
      const faults = await refuse(state);
      if (faults.length === 0) {
        takenUp.push((profile = state.profile));
        pending = state.pending;
      }
      return faults;
    },
    runInTurn: createSerialQueue(),
    newRecordId: () => (ids += 1).toString(16).padStart(24, '0'),
  };
  const operations = bindApplication(profiles, deps);
  return {
    platform,
    takenUp,
    close: () => store.close(),
    async call(name, { id = '', properties, query = '', seen } = {}) {
      const operation = operations.find(({ row }) => row.id === name);
      if (!operation) throw new Error(`there is no operation ${name}`);
      return operation.handle(
        operationCall<unknown>({
          params: { id },
          query: new URLSearchParams(query),
          body: properties && { properties },
          header: (header) => (header === 'if-match' ? seen : undefined),
        }),
      );
    },
  };
}

import type { AdapterState } from '../../core/snapshot.js';
import type { Clock } from '../../lib/clock.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import type { AdapterFactories } from '../../server/state/factories.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Store } from '../store.js';
import { completeProfile, openProfile } from './check-profile.js';
import type { ProfilesDeps } from './deps.js';

interface ProfilesInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloader: Pick<ConfigReloader, 'applyRecords'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly factories: AdapterFactories;
}

/**
 * Creates the dependencies of the profile operations, except the id generator and queue that adapters share.
 */
export function profilesOf({
  current,
  reloader,
  store,
  factories,
  clock,
}: ProfilesInput): Omit<ProfilesDeps, 'newRecordId' | 'runInTurn'> {
  return {
    platform: store.platform,
    commits: store.platform,
    now: () => clock.now(),
    openProfile: (sent) => openProfile(sent, factories),
    completeProfile: (document) => completeProfile(document, factories),
    live() {
      const { desired, adapters } = current.current();
      const wanted = desired.adapters.filter(({ runs }) => runs).map(({ id }) => id);
      const running = wanted.filter((id) => isStartedState(adapters.get(id)?.state()));
      const pending = desired.state.pending.filter(({ kind }) => kind !== 'adapter');
      return { profile: desired.state.profile, pending, wanted, running };
    },
    apply: reloader.applyRecords,
  };
}

function isStartedState(state: AdapterState | undefined): boolean {
  return state !== undefined && state.name !== 'STOPPED' && state.name !== 'DEAD';
}

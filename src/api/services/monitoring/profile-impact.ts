import type { Monitoring } from '../../../core/monitoring.js';
import type { PlatformStore } from '../../../core/platform-state.js';
import type { ProfilesDeps } from '../../profiles/deps.js';
import type { ConfigLoader } from '../../../server/config-loader.js';
import type { SnapshotHolder } from '../../../server/reload/snapshot-holder.js';
import { impactOf } from '../../../server/reload/impact.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';

interface ImpactInput {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly platform: Pick<PlatformStore, 'read' | 'profiles'>;
  readonly openProfile: ProfilesDeps['openProfile'];
  readonly combine: ConfigLoader['combine'];
}

/** Tells what making a profile active would do, by going the way of a reload up to where it would begin to build. */
export function createProfileImpact(input: ImpactInput): Monitoring['impact'] {
  const { current, platform, openProfile, combine } = input;
  return async (id) => {
    const profile = await platform.profiles.find(id);
    if (!profile) return undefined;
    const { desired } = current.current();
    const next = await combine(desired.files, { ...(await platform.read()), profile });
    const opened = openProfile(profile.document);
    const faults = 'faults' in opened ? opened.faults : next.faults;
    return { ...impactOf(desired, next.desired), faults };
  };
}

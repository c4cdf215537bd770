import {
  OVERLAID_BLOCKS,
  validateOverlay,
  validateProfile,
  withoutBlanks,
} from '../../config/profile-schema.js';
import { plaintextSecrets } from '../../config/profile-secrets.js';
import type { LocatedFault } from '../../core/fault.js';
import type { AdapterState } from '../../core/snapshot.js';
import { pointerTo } from '../../json/pointer.js';
import type { Clock } from '../../lib/clock.js';
import { findReferences } from '../../secrets/find-references.js';
import { accessFaults } from '../../server/state/check-access.js';
import { checkLimits } from '../../server/state/check-limits.js';
import { checkRoles } from '../../server/state/check-operations.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import { prefixFaults } from '../../server/state/configuration.js';
import { type AdapterFactories, faultsOf, type Opened } from '../../server/state/factories.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Settings } from '../../settings/settings.js';
import type { Store } from '../store.js';
import type { ProfilesDeps } from './deps.js';

interface ProfilesInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloader: ConfigReloader;
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

type ProfileFactories = Pick<AdapterFactories, 'compile' | 'openEgress' | 'operationNames'>;

/**
 * Returns the profile that a client sent, without blank members; or all its faults, so that every stored profile can be
 * activated. Adds no defaults: a version of a profile has only what was written. Opens no connection, and does not change the
 * input.
 */
export function openProfile(
  sent: Readonly<Record<string, unknown>>,
  factories: ProfileFactories,
): Opened<Readonly<Record<string, unknown>>> {
  const profile = structuredClone(withoutBlanks(sent));
  const misplaced = referenceFaults(profile);
  // These faults are returned alone, because pointers of other faults could contain an encrypted value as a member name.
  if (misplaced.length > 0) return { faults: misplaced };
  const { violations, secrets } = validateProfile(structuredClone(profile), factories.compile);
  const faults = [
    ...violations.map(({ pointer, message, advice }) => ({ pointer, code: 'schema', message, fix: advice })),
    ...plaintextSecrets(profile, secrets),
  ];
  if (faults.length > 0) return { faults };
  const found = overlayFaults(profile, factories);
  return found.length > 0 ? { faults: found } : { value: profile };
}

/** Returns a stored profile with the defaults of its missing members, as clients of the platform expect it. */
export function completeProfile(
  document: Readonly<Record<string, unknown>>,
  { compile }: ProfileFactories,
): Readonly<Record<string, unknown>> {
  const complete = structuredClone(document);
  validateProfile(complete, compile);
  return complete;
}

function referenceFaults(profile: unknown): readonly LocatedFault[] {
  const { references, faults } = findReferences(profile);
  return [
    ...faults,
    ...references.map(({ pointer }) => ({
      pointer,
      code: 'VAULT_REF_MISPLACED',
      message: 'cannot be a reference: references in a profile are not resolved',
      fix: 'Write the value itself if it is not a secret, or leave it out.',
    })),
  ];
}

/** Returns the faults of the blocks that the profile overlays on the main file. */
function overlayFaults(
  profile: Readonly<Record<string, unknown>>,
  { compile, openEgress, operationNames }: ProfileFactories,
): readonly LocatedFault[] {
  const blocks = OVERLAID_BLOCKS.flatMap((key) => (key in profile ? [[key, profile[key]] as const] : []));
  const { egress, roles, access, limits } = withDefaults(Object.fromEntries(blocks), compile);
  return [
    ...prefixFaults('/egress', faultsOf(openEgress(egress))),
    ...checkRoles(roles, operationNames),
    ...accessFaults(access, operationNames),
    ...checkLimits(limits, operationNames),
    ...lockOutFaults(roles),
  ];
}

/** Operations that replace the active profile. A profile must not lock administrators out of them. */
const RECOVERY_OPERATIONS = ['profiles.switchActiveProfile', 'profiles.updateProfile'];

/** Operations that a caller needs before it has a token, and therefore a role. */
const LOGIN_OPERATIONS = ['login.login', 'login.getToken'];

function lockOutFaults(roles: Settings['roles']): readonly LocatedFault[] {
  const lost = RECOVERY_OPERATIONS.filter((name) => roles[name]?.includes('admin') === false);
  const closed = LOGIN_OPERATIONS.filter((name) => roles[name] !== undefined);
  return [
    ...lost.map((name) => ({
      pointer: pointerTo('/roles', name),
      code: 'lock_out',
      message: 'does not include the role admin: no caller could activate another profile',
      fix: 'Add admin to the roles.',
    })),
    ...closed.map((name) => ({
      pointer: pointerTo('/roles', name),
      code: 'lock_out',
      message: 'requires a token before the login: no caller could log in to activate another profile',
      fix: 'Leave it out.',
    })),
  ];
}

/** Returns the blocks with the defaults of their missing members. */
function withDefaults(
  blocks: Readonly<Record<string, unknown>>,
  compile: AdapterFactories['compile'],
): Settings {
  const complete = structuredClone(blocks);
  validateOverlay(complete, compile);
  return complete as unknown as Settings;
}

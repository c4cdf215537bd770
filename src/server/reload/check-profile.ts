import { OVERLAID_BLOCKS, validateOverlay } from '../../config/overlay-schema.js';
import { validateProfile, withoutBlanks } from '../../config/profile-schema.js';
import { plaintextSecrets } from '../../config/profile-secrets.js';
import type { LocatedFault } from '../../core/fault.js';
import { pointerTo } from '../../core/pointer.js';
import type { Settings } from '../../core/settings.js';
import { findReferences } from '../../vault/find-references.js';
import { below, checkRoles } from './build-settings.js';
import { faultsOf, type Opened, type AdapterFactories } from '../../adapters/factories.js';

type ProfileRooms = Pick<AdapterFactories, 'compile' | 'openEgress' | 'operationNames'>;

/**
 * A full profile of what a client sent, defaults filled in; or everything that keeps it from being kept, so that what is
 * kept can be made active. Connects to nothing, and leaves what was sent as it is.
 */
export function openProfile(
  sent: Readonly<Record<string, unknown>>,
  factories: ProfileRooms,
): Opened<Readonly<Record<string, unknown>>> {
  const profile = structuredClone(withoutBlanks(sent));
  const misplaced = misplacedSecrets(profile);
  // Alone: pointers of the other checks could repeat an encrypted value that is the name of a member.
  if (misplaced.length > 0) return { faults: misplaced };
  const { violations, secrets } = validateProfile(profile, factories.compile);
  const faults = [
    ...violations.map(({ pointer, message }) => ({ pointer, code: 'schema', message, fix: '' })),
    ...plaintextSecrets(profile, secrets),
  ];
  if (faults.length > 0) return { faults };
  const found = overlayRefusals(profile, factories);
  return found.length > 0 ? { faults: found } : { value: profile };
}

function misplacedSecrets(profile: unknown): readonly LocatedFault[] {
  const { references, faults } = findReferences(profile);
  return [
    ...faults,
    ...references.map(({ pointer }) => ({
      pointer,
      code: 'VAULT_REF_MISPLACED',
      message: 'cannot be a reference: nobody looks it up in a profile',
      fix: 'Write the value itself where it is no secret, or leave it out.',
    })),
  ];
}

/** What the rooms have against the blocks that are laid over the main file. */
function overlayRefusals(
  profile: Readonly<Record<string, unknown>>,
  { compile, openEgress, operationNames }: ProfileRooms,
): readonly LocatedFault[] {
  const own = OVERLAID_BLOCKS.flatMap((key) => (key in profile ? [[key, profile[key]] as const] : []));
  // Complete: each block gets its defaults for what the profile leaves out.
  const { egress, roles } = withDefaults(Object.fromEntries(own), compile);
  return [
    ...below('/egress', faultsOf(openEgress(egress))),
    ...checkRoles(roles, operationNames),
    ...lockOuts(roles),
  ];
}

/** The ways back from a profile. */
const WAYS_BACK = ['profiles.switchActiveProfile', 'profiles.updateProfile'];

/** What those who want to go back may have to do before; nobody has a role then. */
const LOGINS = ['login.login', 'login.getToken'];

function lockOuts(roles: Settings['roles']): readonly LocatedFault[] {
  const lost = WAYS_BACK.filter((name) => roles[name]?.includes('admin') === false);
  const closed = LOGINS.filter((name) => roles[name] !== undefined);
  return [
    ...lost.map((name) => ({
      pointer: pointerTo('/roles', name),
      code: 'lock_out',
      message: 'leaves out the role admin: nobody could go back to another profile',
      fix: 'Name admin among the roles.',
    })),
    ...closed.map((name) => ({
      pointer: pointerTo('/roles', name),
      code: 'lock_out',
      message: 'asks for a token before there is one: nobody could log in to go back to another profile',
      fix: 'Leave it out.',
    })),
  ];
}

function withDefaults(
  blocks: Readonly<Record<string, unknown>>,
  compile: AdapterFactories['compile'],
): Pick<Settings, 'egress' | 'roles'> {
  const complete = structuredClone(blocks);
  validateOverlay(complete, compile);
  return complete as unknown as Pick<Settings, 'egress' | 'roles'>;
}

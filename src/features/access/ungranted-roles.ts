import { asSettings } from '../../config/settings-schema.js';
import type { Fault } from '../../core/fault.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { listAt } from '../../server/state/access-policies.js';
import { type ConfigSection, locateFault, type DesiredFiles } from '../../server/state/configuration.js';
import { grantedRoles } from '../../server/state/unused-roles.js';

/**
 * Returns a warning for each role that opens something but that no user, client, certificate, role map or claim grants. Returns none if an issuer without a role map grants the roles of its tokens unchanged. `main` must be valid.
 */
export function ungrantedRoles({ main, adapters }: DesiredFiles): readonly Fault[] {
  const { auth } = asSettings(main.written.value);
  if (auth.issuers.some(({ roleMap }) => !roleMap)) return [];
  const granted = [...new Set(grantedRoles(auth).map(({ role }) => role))];
  // Only tokens of the command line exist, which may have any role.
  if (granted.length === 0) return [];
  return [
    ...namedIn(main, '/roles').flatMap(({ pointer }) => rolesAt(main, pointer)),
    ...[main, ...adapters].flatMap((section) =>
      namedIn(section, '/access').flatMap(({ pointer }) => rolesAt(section, `${pointer}/roles`)),
    ),
    ...rolesAt(main, '/forms/tasks/roles'),
  ]
    .filter(({ role }) => !granted.includes(role))
    .map(({ section, pointer, role }) =>
      locateFault(section.written, {
        pointer,
        code: 'roles',
        message: `no user, client, certificate or mapping gives the role "${role}"${didYouMean(role, granted)}`,
        fix: 'Give it to a user, a client or a certificate of the key auth, or by roleMap or claimRoles; or correct its name.',
      }),
    );
}

interface NamedRole {
  readonly section: ConfigSection;
  readonly pointer: string;
  readonly role: string;
}

function rolesAt(section: ConfigSection, pointer: string): readonly NamedRole[] {
  return listAt(section.written.value, pointer).flatMap((role, at) =>
    typeof role === 'string' ? [{ section, pointer: pointerTo(pointer, at), role }] : [],
  );
}

/** Returns the pointers of the members of an object or a list. */
function namedIn(section: ConfigSection, pointer: string): readonly { readonly pointer: string }[] {
  const value = valueAt(section.written.value, pointer);
  if (Array.isArray(value)) return value.map((_item, at) => ({ pointer: pointerTo(pointer, at) }));
  return isJsonObject(value) ? Object.keys(value).map((key) => ({ pointer: pointerTo(pointer, key) })) : [];
}

import { asSettings } from '../../config/settings-schema.js';
import type { AccessRule } from '../../core/access.js';
import { CERTIFICATE_ISSUER } from '../../core/certificate.js';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { LOCAL_ISSUER } from '../../core/principal.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import type { AuthSettings } from '../../settings/settings.js';
import { type Desired, locateFault } from './configuration.js';
import type { AdapterFactories } from './factories.js';

/** A role that the configuration grants, although no operation, adapter or setting names the role. */
interface UnusedRole {
  readonly issuer: string;
  readonly role: string;
  /** Location in the main file. */
  readonly pointer: string;
  /** The used role with a similar name, as a question; empty without such a role. */
  readonly suggestion: string;
}

/** Returns the roles that open something: an operation, an adapter or tasks; `operationRoles` are those of the operations. */
export function usedRoles(
  { main, adapters }: Desired,
  operationRoles: readonly string[],
): ReadonlySet<string> {
  const { roles, access, forms } = asSettings(main.written.value);
  return new Set([
    ...operationRoles,
    ...Object.values(roles).flat(),
    ...rolesOfAccess(access),
    ...forms.tasks.roles,
    ...adapters.flatMap(({ written }) => rolesOfAccess(valueAt(written.value, '/access'))),
  ]);
}

/** Returns the roles of all role maps and accounts that open nothing; `operationRoles` are those of the operations. */
function unusedRoles(desired: Desired, operationRoles: readonly string[]): readonly UnusedRole[] {
  const { auth } = asSettings(desired.main.written.value);
  const used = usedRoles(desired, operationRoles);
  return grantedRoles(auth)
    .filter(({ role }) => !used.has(role))
    .map((unused) => ({ ...unused, suggestion: didYouMean(unused.role, [...used]) }));
}

/** Returns the roles that role maps and accounts grant. An issuer without a role map grants every role of its tokens. */
export function grantedRoles(auth: AuthSettings): readonly GrantedRole[] {
  return [...mappedRoles(auth), ...claimedRoles(auth), ...accountRoles(auth)];
}

/** A role that a role map or an account grants. */
type GrantedRole = Omit<UnusedRole, 'suggestion'>;

/** Returns the roles of the role maps of the issuers, and of client certificates. */
function mappedRoles({ issuers, clientCertificates }: AuthSettings): readonly GrantedRole[] {
  const maps = issuers.map(({ issuer, roleMap = {} }, at) => ({
    issuer,
    map: roleMap,
    at: `/auth/issuers/${at}/roleMap`,
  }));
  const ofCertificates = {
    issuer: CERTIFICATE_ISSUER,
    map: clientCertificates.roles,
    at: '/auth/clientCertificates/roles',
  };
  return [...maps, ofCertificates].flatMap(({ issuer, map, at }) =>
    Object.entries(map).flatMap(([name, granted]) =>
      [granted].flat().map((role) => ({ issuer, role, pointer: pointerTo(at, name) })),
    ),
  );
}

/** Returns the roles of {@link unusedRoles} as warnings about the main file. */
export function idleRoles(desired: Desired, operationRoles: readonly string[]): readonly Fault[] {
  return unusedRoles(desired, operationRoles).map(({ pointer, role, suggestion }) =>
    locateFault(desired.main.written, {
      pointer,
      code: 'roles',
      message: `the role "${role}" opens nothing: no operation, adapter or setting names it${suggestion}`,
      fix: 'Correct the role, or name it in "roles", in "access" or in the access rules of an adapter.',
    }),
  );
}

/** Returns the roles that issuers grant for values of claims. */
function claimedRoles({ issuers }: AuthSettings): readonly GrantedRole[] {
  return issuers.flatMap(({ issuer, claimRoles = [] }, at) =>
    claimRoles.flatMap(({ roles }, index) =>
      [roles].flat().map((role) => ({
        issuer,
        role,
        pointer: `/auth/issuers/${at}/claimRoles/${index}/roles`,
      })),
    ),
  );
}

/** Returns the roles of the users and clients of the built-in issuer. */
function accountRoles({ local: { users, clients } }: AuthSettings): readonly GrantedRole[] {
  return Object.entries({ users, clients }).flatMap(([kind, accounts]) =>
    accounts.flatMap(({ roles }, at) =>
      roles.map((role, index) => ({
        issuer: LOCAL_ISSUER,
        role,
        pointer: `/auth/local/${kind}/${at}/roles/${index}`,
      })),
    ),
  );
}

function rolesOfAccess(access: unknown): readonly string[] {
  return Array.isArray(access) ? (access as readonly AccessRule[]).flatMap(({ roles = [] }) => roles) : [];
}

/** Logs a warning for each role of a role map or an account that opens nothing. */
export function warnUnusedRoles(
  desired: Desired,
  { operationRoles }: Pick<AdapterFactories, 'operationRoles'>,
  log: Log,
): void {
  for (const { suggestion, ...unused } of unusedRoles(desired, operationRoles))
    log.warn(`a configured role opens nothing${suggestion}`, unused);
}

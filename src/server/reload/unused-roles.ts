import type { AdapterFactories } from '../../adapters/factories.js';
import { asSettings } from '../../config/settings-schema.js';
import type { AccessRule } from '../../core/access.js';
import type { Log } from '../../core/log.js';
import { pointerTo, valueAt } from '../../core/pointer.js';
import type { Desired } from './desired-state.js';

/** A role that a role map grants, although no operation, adapter or setting names the role. */
export interface UnusedRole {
  readonly issuer: string;
  readonly role: string;
  /** Location in the main file. */
  readonly pointer: string;
}

/** Returns the roles that open something: an operation, an adapter or tasks; `operationRoles` are those of the operations. */
export function usedRoles(
  { main, adapters }: Pick<Desired, 'main' | 'adapters'>,
  operationRoles: readonly string[],
): ReadonlySet<string> {
  const { roles, forms } = asSettings(main.written.value);
  return new Set([
    ...operationRoles,
    ...Object.values(roles).flat(),
    ...forms.tasks.roles,
    ...adapters.flatMap(({ written }) => rolesOfAccess(valueAt(written.value, '/access'))),
  ]);
}

/** Returns the roles of all role maps that open nothing; `operationRoles` are those of the operations. */
export function unusedRoles(
  desired: Pick<Desired, 'main' | 'adapters'>,
  operationRoles: readonly string[],
): readonly UnusedRole[] {
  const { auth } = asSettings(desired.main.written.value);
  const used = usedRoles(desired, operationRoles);
  return auth.issuers.flatMap(({ issuer, roleMap = {} }, at) =>
    Object.entries(roleMap).flatMap(([name, granted]) =>
      [granted].flat().flatMap((role) => {
        const pointer = pointerTo(`/auth/issuers/${at}/roleMap`, name);
        return used.has(role) ? [] : [{ issuer, role, pointer }];
      }),
    ),
  );
}

function rolesOfAccess(access: unknown): readonly string[] {
  return Array.isArray(access) ? (access as readonly AccessRule[]).flatMap(({ roles = [] }) => roles) : [];
}

/** Logs a warning for each role of a role map that opens nothing. */
export function warnUnusedRoles(
  desired: Pick<Desired, 'main' | 'adapters'>,
  { operationRoles }: Pick<AdapterFactories, 'operationRoles'>,
  log: Pick<Log, 'warn'>,
): void {
  for (const unused of unusedRoles(desired, operationRoles))
    log.warn('a role of roleMap opens nothing', { ...unused });
}

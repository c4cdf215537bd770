import type { AdapterFactories } from '../../adapters/factories.js';
import { asSettings } from '../../config/settings-schema.js';
import type { AccessRule } from '../../core/access.js';
import { CERTIFICATE_ISSUER } from '../../core/client-certificate.js';
import type { Log } from '../../core/log.js';
import { pointerTo, valueAt } from '../../core/pointer.js';
import type { Desired } from './desired-state.js';

/** A role that the configuration grants, although no operation, adapter or setting names the role. */
export interface UnusedRole {
  readonly issuer: string;
  readonly role: string;
  /** Location in the main file. */
  readonly pointer: string;
}

/** Returns the roles of all role maps and client certificates that open nothing; `operationRoles` are those of the operations. */
export function unusedRoles(
  { main, adapters }: Pick<Desired, 'main' | 'adapters'>,
  operationRoles: readonly string[],
): readonly UnusedRole[] {
  const { auth, roles, forms } = asSettings(main.written.value);
  const used = new Set([
    ...operationRoles,
    ...Object.values(roles).flat(),
    ...forms.tasks.roles,
    ...adapters.flatMap(({ written }) => rolesOfAccess(valueAt(written.value, '/access'))),
  ]);
  const maps = auth.issuers.map(({ issuer, roleMap = {} }, at) => ({
    issuer,
    map: roleMap,
    at: `/auth/issuers/${at}/roleMap`,
  }));
  const ofCertificates = {
    issuer: CERTIFICATE_ISSUER,
    map: auth.clientCertificates.roles,
    at: '/auth/clientCertificates/roles',
  };
  return [...maps, ofCertificates].flatMap(({ issuer, map, at }) =>
    Object.entries(map).flatMap(([name, granted]) =>
      [granted]
        .flat()
        .flatMap((role) => (used.has(role) ? [] : [{ issuer, role, pointer: pointerTo(at, name) }])),
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

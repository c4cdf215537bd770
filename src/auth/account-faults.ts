import type { LocatedFault } from '../core/fault.js';
import type { LocalIssuerSettings } from '../core/settings.js';
import { passwordHashFault } from './password-hash.js';

/** Longest list of roles as JSON, in bytes: a token has to hold it, and a cookie has to hold the token. */
const ROLES_BYTES = 2048;

/** What is wrong with `auth.local.users` and `auth.local.clients`; pointers count from `auth.local`. */
export function accountFaults({ users, clients }: LocalIssuerSettings): readonly LocatedFault[] {
  const named = [
    ...users.map(({ username, passwordHash, roles }, at) => ({
      name: username,
      hash: passwordHash,
      roles,
      at: `/users/${at}`,
      nameKey: 'username',
      hashKey: 'passwordHash',
    })),
    ...clients.map(({ clientId, clientSecretHash, roles }, at) => ({
      name: clientId,
      hash: clientSecretHash,
      roles,
      at: `/clients/${at}`,
      nameKey: 'clientId',
      hashKey: 'clientSecretHash',
    })),
  ];
  const names = named.map(({ name }) => name);
  return named.flatMap(({ name, hash, roles, at, nameKey, hashKey }, index) => [
    ...(names.indexOf(name) < index ? [duplicate(`${at}/${nameKey}`)] : []),
    ...hashFaults(hash.reveal(), `${at}/${hashKey}`),
    ...(Buffer.byteLength(JSON.stringify(roles)) > ROLES_BYTES ? [tooManyRoles(`${at}/roles`)] : []),
  ]);
}

function duplicate(pointer: string): LocatedFault {
  const message = 'is the name of another user or client above';
  return { pointer, code: 'auth_name', message, fix: 'Give every user and client a name of its own.' };
}

function hashFaults(encoded: string, pointer: string): readonly LocatedFault[] {
  const message = passwordHashFault(encoded);
  const fix = 'Make the hash with: gatehouse hash';
  return message === undefined ? [] : [{ pointer, code: 'auth_hash', message, fix }];
}

function tooManyRoles(pointer: string): LocatedFault {
  const message = `is longer than ${ROLES_BYTES} bytes, which is more than a token may carry`;
  return { pointer, code: 'auth_roles', message, fix: 'Give fewer roles, or shorter names.' };
}

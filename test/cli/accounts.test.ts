import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Fault } from '../../src/core/fault.js';
import { runCommand } from '../support/command-io.js';
import { writeMistake } from '../support/mistakes.js';
import { cheapHash } from '../support/password-hash.js';

const HASH = cheapHash('pw');

/** Returns the faults that `gatehouse check` finds in a block `auth.local`, each as a pointer and a code. */
async function faultsOf(local: string): Promise<readonly string[]> {
  const vault = 'vault: { address: "https://v.example", auth: { method: token } }\n';
  const folder = writeMistake({ main: `auth: { local: { keyFile: key.pem, ${local} } }\n${vault}` });
  const args = ['check', '--json', '--config', join(folder, 'gatehouse.yaml')];
  const { out } = await runCommand(args, { env: { VAULT_TOKEN: 't' } });
  return (JSON.parse(out) as readonly Fault[]).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('gatehouse check on users and clients', () => {
  const user = (username: string, rest = `passwordHash: '${HASH}', roles: [admin]`): string =>
    `{ username: "${username}", ${rest} }`;

  for (const [what, local, expected] of [
    ['no fault in valid accounts', `users: [${user('ada')}, ${user('zoë k.')}], clients: []`, []],
    [
      'no fault in a hash from Vault',
      `users: [${user('ada', 'passwordHash: $VAULT_a#b, roles: [admin]')}]`,
      [],
    ],
    [
      'a duplicate name',
      `users: [${user('a')}, ${user('b')}, ${user('a')}]`,
      ['/auth/local/users/2/username auth_name'],
    ],
    [
      'no roles',
      `users: [${user('a', `passwordHash: '${HASH}', roles: []`)}]`,
      ['/auth/local/users/0/roles schema'],
    ],
    [
      'a role with blanks',
      `users: [${user('a', `passwordHash: '${HASH}', roles: [" admin"]`)}]`,
      ['/auth/local/users/0/roles/0 schema'],
    ],
    ['a colon in a name', `users: [${user('a:b')}]`, ['/auth/local/users/0/username schema']],
    ['a name that is too long', `users: [${user('a'.repeat(257))}]`, ['/auth/local/users/0/username schema']],
    ['an unknown style', 'accept: [bearer, header]', ['/auth/local/accept/1 schema']],
    ['no style', 'accept: []', ['/auth/local/accept schema']],
    ['no attempt', 'attempts: { perUser: 0 }', ['/auth/local/attempts/perUser schema']],
  ] as const)
    // prettier-ignore
    it(`finds ${what}`, async () => {
      assert.deepEqual(await faultsOf(local), expected);
    });
});

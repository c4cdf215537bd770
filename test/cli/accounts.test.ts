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
  const user = (username: string, { hash = `'${HASH}'`, roles = '[admin]' } = {}): string =>
    `{ username: "${username}", passwordHash: ${hash}, roles: ${roles} }`;
  const users = (...all: readonly string[]): string => `users: [${all.join(', ')}]`;

  for (const [what, local, ...expected] of [
    ['no fault in valid accounts', `${users(user('ada'), user('zoë k.'))}, clients: []`],
    ['no fault in a hash from Vault', users(user('ada', { hash: '$VAULT_a#b' }))],
    ['a duplicate name', users(...['a', 'b', 'a'].map((name) => user(name))), '/users/2/username auth_name'],
    ['no roles', users(user('a', { roles: '[]' })), '/users/0/roles schema'],
    ['a role with blanks', users(user('a', { roles: '[" admin"]' })), '/users/0/roles/0 schema'],
    ['a colon in a name', users(user('a:b')), '/users/0/username schema'],
    ['a name that is too long', users(user('a'.repeat(257))), '/users/0/username schema'],
    ['an unknown style', 'accept: [bearer, header]', '/accept/1 schema'],
    ['no style', 'accept: []', '/accept schema'],
    ['no attempt', 'attempts: { perUser: 0 }', '/attempts/perUser schema'],
  ] as const)
    it(`finds ${what}`, async () => {
      assert.deepEqual(
        await faultsOf(local),
        expected.map((fault) => `/auth/local${fault}`),
      );
    });
});

import assert from 'node:assert/strict';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { until } from '../support/until.js';
import { type KeycloakSite, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'tokens of a real Keycloak', () => {
  let site: KeycloakSite;
  useKeycloakSite((started) => {
    site = started;
  });

  it('are accepted, with the roles of the realm', async () => {
    const [alice, bob] = [await site.realm.tokenOf('alice'), await site.realm.tokenOf('bob')];
    assert.deepEqual(await site.rolesOf(alice), ['admin']);
    assert.deepEqual(await site.rolesOf(bob), ['engineering']);
    assert.equal((await site.call('/adapters', alice)).status, 200);
    assert.equal((await site.call('/adapters', bob)).status, 403);
  });

  it('are accepted with the roles of a client', async () => {
    await site.configure({ rolesClaim: '/resource_access/gatehouse/roles', roleMap: '{ admin: admin }' });
    try {
      assert.deepEqual(await site.rolesOf(await site.realm.tokenOf('carol')), ['admin']);
      assert.deepEqual(await site.rolesOf(await site.realm.tokenOf('alice')), []);
    } finally {
      await site.configure({});
    }
  });

  it('are refused if they were changed, and if they are for another audience', async () => {
    const token = await site.realm.tokenOf('alice');
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    assert.equal((await site.call('/whoami', forged)).status, 401);
    const foreign = await site.realm.tokenOf('alice', 'admin-cli');
    assert.equal((await site.call('/whoami', foreign)).status, 401);
    // The output of the process may arrive after its reply.
    await until(() =>
      site.logLines.some((line) => line.includes('jwt audience invalid. expected: gatehouse')),
    );
  });

  it('are accepted after the realm has begun to sign with another key', async () => {
    const { realm, keycloak } = site;
    const before = await realm.tokenOf('alice');
    assert.equal((await site.call('/whoami', before)).status, 200);
    await keycloak.admin('POST', `/${realm.name}/components`, {
      name: 'second',
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['200'], algorithm: ['RS256'], keySize: ['2048'] },
    });
    const next = await realm.tokenOf('alice');
    assert.notEqual(headerOf(next)['kid'], headerOf(before)['kid']);
    for (const token of [next, before]) assert.equal((await site.call('/whoami', token)).status, 200);
  });
});

function headerOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

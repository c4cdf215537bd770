import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LdapServer, lackOfSlapd, startLdapServer } from '../support/ldap-server.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  basicAdapter,
  type Orchestrator,
  runWith,
  startGatehouse,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

/** Program with the method ldap. OpenBao 2.7 has it as a plugin of its own; 2.6 has it built in. */
const PROGRAM = process.env['BAO_LDAP_BINARY'];
const PASSWORD = 'pw-of-the-orchestrator';
const USER_PASSWORD = 'pw of Grace, with "quotes"';

describe('logins of an LDAP directory, on a real OpenBao and a real OpenLDAP', () => {
  let bao: OpenBao;
  let directory: LdapServer;
  let orchestrator: Orchestrator;
  let folder: string;
  before(async function () {
    const lack = PROGRAM ? lackOfSlapd() : 'needs OpenBao 2.6 in BAO_LDAP_BINARY';
    if (lack !== undefined) {
      for (const test of this.test!.parent!.tests) test.title += ` (${lack})`;
      this.skip();
    }
    bao = await startOpenBao({ program: PROGRAM! });
    directory = await startLdapServer({ suffix: 'dc=example', users: { grace: USER_PASSWORD } });
    orchestrator = await startOrchestrator((_, password) => password === PASSWORD);
    await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: PASSWORD } } });
    const policy = 'path "secret/data/adapters/*" { capabilities = ["read"] }';
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
    await bao.ask('POST', 'sys/auth/ldap', { body: { type: 'ldap' } });
    await bao.ask('POST', 'auth/ldap/config', {
      body: { url: directory.url, userdn: 'ou=people,dc=example', userattr: 'uid', groupdn: 'dc=example' },
    });
    await bao.ask('POST', 'auth/ldap/users/grace', { body: { policies: 'gatehouse' } });
  });
  after(async () => {
    if (PROGRAM === undefined || lackOfSlapd() !== undefined) return;
    await orchestrator.close();
    await bao.close();
    await directory.close();
  });
  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  const configuration = (password: string) => {
    writeFileSync(join(folder, 'password'), password);
    return {
      folder,
      vault: [`address: ${bao.address}`, 'auth: { method: ldap, username: grace, passwordFile: password }'],
      adapters: { nso1: basicAdapter(orchestrator.url, 'admin', '$VAULT_adapters/nso1#password') },
    };
  };

  it('take the password from a file', async () => {
    const gatehouse = await startGatehouse(configuration(USER_PASSWORD));
    try {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
    } finally {
      await gatehouse.close();
    }
  });

  it('name the setting when the password is wrong, and end with 77', async () => {
    const path = writeConfiguration(configuration('wrong'));
    const { code, out } = await runWith(path, 'check', '--probe');
    assert.equal(code, 77);
    assert.match(out, /auth\/ldap\/login\/grace.*VAULT_LOGIN_FAILED.*passwordFile.*LDAP server/s);
  });
});

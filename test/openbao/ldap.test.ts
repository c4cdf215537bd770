import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLdapServer } from '../support/ldap-server.js';
import { OPENBAO_LDAP, SLAPD } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { openedBySuite } from '../support/opened.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  basicAdapter,
  type Orchestrator,
  runWith,
  startGatehouse,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

const PASSWORD = 'pw-of-the-orchestrator';
const USER_PASSWORD = 'pw of Grace, with "quotes"';

describeWith(
  [OPENBAO_LDAP, SLAPD],
  'logins of an LDAP directory, on a real OpenBao and a real OpenLDAP',
  () => {
    let bao: OpenBao;
    let orchestrator: Orchestrator;
    let folder: string;
    const opened = openedBySuite();
    before(async () => {
      const users = { grace: USER_PASSWORD };
      const directory = await opened(startLdapServer({ suffix: 'dc=example', users }));
      bao = await opened(startOpenBao({ program: process.env['BAO_LDAP_BINARY'] ?? '' }));
      orchestrator = await opened(startOrchestrator((_, password) => password === PASSWORD));
      await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: PASSWORD } } });
      const policy = 'path "secret/data/adapters/*" { capabilities = ["read"] }';
      await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
      await bao.ask('POST', 'sys/auth/ldap', { body: { type: 'ldap' } });
      await bao.ask('POST', 'auth/ldap/config', {
        body: { url: directory.url, userdn: 'ou=people,dc=example', userattr: 'uid', groupdn: 'dc=example' },
      });
      await bao.ask('POST', 'auth/ldap/users/grace', { body: { policies: 'gatehouse' } });
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
  },
);

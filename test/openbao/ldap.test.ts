import assert from 'node:assert/strict';
import { startLdapServer } from '../support/ldap-server.js';
import { OPENBAO_LDAP, SLAPD } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type Bench, callWorks, checked, openBench } from './bench.js';

const USER_PASSWORD = 'pw of Grace, with "quotes"';

describeWith(
  [OPENBAO_LDAP, SLAPD],
  'logins of an LDAP directory, on a real OpenBao and a real OpenLDAP',
  () => {
    let bench: Bench;
    const opened = openedBySuite();
    before(async () => {
      const users = { grace: USER_PASSWORD };
      const { url } = await opened(startLdapServer({ suffix: 'dc=example', users }));
      bench = await opened(openBench({ program: process.env['BAO_LDAP_BINARY'] ?? '' }));
      const post = (path: string, body: object) => bench.bao.ask('POST', path, { body });
      await post('sys/auth/ldap', { type: 'ldap' });
      await post('auth/ldap/config', {
        url,
        userdn: 'ou=people,dc=example',
        userattr: 'uid',
        groupdn: 'dc=example',
      });
      await post('auth/ldap/users/grace', { policies: 'gatehouse' });
    });

    const configuration = (password: string) =>
      bench.configuration(['auth: { method: ldap, username: grace, passwordFile: password }'], { password });

    it('take the password from a file', () => callWorks(configuration(USER_PASSWORD)));

    it('name the setting when the password is wrong, and end with 77', async () => {
      assert.match(
        await checked(configuration('wrong')),
        /^77 .*auth\/ldap\/login\/grace.*VAULT_LOGIN_FAILED.*passwordFile.*LDAP server/s,
      );
    });
  },
);

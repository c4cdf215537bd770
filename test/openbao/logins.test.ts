import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import type { OpenBao } from '../support/openbao.js';
import { eventually, until } from '../support/until.js';
import {
  type Bench,
  callOnce,
  callWorks,
  checked,
  openBench,
  TOKEN_FILE,
  withGatehouse,
  withHttps,
} from './bench.js';
import type { Configuration } from './gatehouse.js';

const USER_PASSWORD = 'pw of Grace, with "quotes"';

/** Replaces a file of a configuration like the programs that keep credentials up to date. */
function replace({ folder }: Configuration, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 });
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

describeWith(OPENBAO, 'logins, on a real OpenBao', () => {
  let bench: Bench;
  let bao: OpenBao;
  let listener: Certificate;
  before(async () => {
    listener = await makeCertificate({ ip: '127.0.0.1' });
    bench = await openBench(withHttps(listener));
    ({ bao } = bench);
  });
  after(() => bench.close());

  const configuration = (auth: string, files: Readonly<Record<string, string>>, tls = ''): Configuration =>
    bench.configuration([`tls: { caFile: ca.pem${tls} }`, auth], { ...files, 'ca.pem': listener.cert });

  describe('with a user name', () => {
    before(async () => {
      await bao.ask('POST', 'sys/auth/people', { body: { type: 'userpass' } });
      const body = { password: USER_PASSWORD, token_policies: 'gatehouse' };
      await bao.ask('POST', 'auth/people/users/grace', { body });
    });
    const asUser = (username: string, password: string): Configuration =>
      configuration(
        `auth: { method: userpass, mount: people, username: ${username}, passwordFile: password }`,
        { password },
      );

    it('userpass logs in with the password of a file', () =>
      callWorks(asUser('grace', `${USER_PASSWORD}\n`)));

    it('userpass names the setting when the password is wrong, and ends with 77', async () => {
      const fault = await checked(asUser('heidi', 'wrong'));
      assert.match(fault, /^77 .*auth\/people\/login\/heidi.*VAULT_LOGIN_FAILED.*passwordFile/s);
      assert.doesNotMatch(fault, /secret id/);
    });
  });

  describe('with a certificate', () => {
    const certificates: Certificate[] = [];
    before(async () => {
      await bao.ask('POST', 'sys/auth/cert', { body: { type: 'cert' } });
      for (const name of ['first', 'second']) {
        const certificate = await makeCertificate({ dns: `${name}.example` });
        certificates.push(certificate);
        const body = { certificate: certificate.cert, token_policies: 'gatehouse' };
        await bao.ask('POST', `auth/cert/certs/${name}`, { body });
      }
    });

    it('logs in with a certificate that was renewed while the server runs', async () => {
      const [first, second] = certificates as [Certificate, Certificate];
      const files = { 'client.key': first.key, 'client.pem': first.cert };
      const config = configuration(
        'auth: { method: cert }',
        files,
        ', certFile: client.pem, keyFile: client.key',
      );
      await withGatehouse(config, async (gatehouse) => {
        assert.equal((await gatehouse.call('nso1')).status, 200);
        // The first certificate is of no use any more.
        await bao.ask('DELETE', 'auth/cert/certs/first');
        replace(config, 'client.key', second.key);
        replace(config, 'client.pem', second.cert);
        await eventually(async () => {
          assert.ok(await hasLogin('second'));
        });
        await gatehouse.server.reload();
        assert.equal((await gatehouse.call('nso1')).status, 200);
        assert.doesNotMatch(gatehouse.log(), /"level":"error"/);
      });
    });
    /** Returns true if a token was given to the certificate. */
    const hasLogin = async (name: string): Promise<boolean> => {
      const { data } = await bao.ask('LIST', 'auth/token/accessors');
      for (const accessor of data['keys'] as readonly string[]) {
        const found = await bao.ask('POST', 'auth/token/lookup-accessor', { body: { accessor } });
        if (JSON.stringify(found.data['meta']).includes(`"cert_name":"${name}"`)) return true;
      }
      return false;
    };
  });

  describe('with a token of its own', () => {
    const withToken = async (terms?: Readonly<Record<string, unknown>>) => {
      const token = await bench.createToken(terms);
      return { token, config: configuration(TOKEN_FILE, { token }) };
    };
    const revoke = (token: string) => bao.ask('POST', 'auth/token/revoke', { body: { token } });

    it('vault review F7: tells that the token has ended, and ends with 77', async () => {
      const { token, config } = await withToken();
      await revoke(token);
      assert.match(
        await checked(config),
        /^77 .*The token in \S+token has ended.*VAULT_LOGIN_FAILED.*Write a new token/s,
      );
    });

    it('vault review F7: takes a new token within two seconds after the old one was revoked', async () => {
      const { token, config } = await withToken();
      await withGatehouse(config, async (gatehouse) => {
        await revoke(token);
        // A read that Vault refuses makes gatehouse look for the reason.
        await gatehouse.admin('POST', '/admin/vault/refresh');
        assert.match(gatehouse.log(), /has ended, was revoked/);
        replace(config, 'token', await bench.createToken());
        const begun = performance.now();
        await until(() => gatehouse.log().includes('secret confirmed again'));
        assert.ok(performance.now() - begun < 4_000);
      });
    });

    it('vault review F7: takes a new token with a reload at once', async () => {
      const { token, config } = await withToken();
      await withGatehouse(config, async (gatehouse) => {
        await revoke(token);
        await gatehouse.server.reload();
        replace(config, 'token', await bench.createToken());
        await gatehouse.server.reload();
        assert.match(gatehouse.log(), /secret confirmed again/);
      });
    });

    it('keeps a token that may not look itself up', async () => {
      const { config } = await withToken({ no_default_policy: true });
      const { status, log } = await callOnce(config);
      assert.equal(status, 200);
      assert.match(log, /token lookup denied/);
    });
  });
});

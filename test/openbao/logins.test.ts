import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, until } from '../support/until.js';
import { withGatehouse } from './bench.js';
import {
  basicAdapter,
  type Configuration,
  type Orchestrator,
  runWith,
  startOrchestrator,
  tlsServer,
  writeConfiguration,
} from './gatehouse.js';

const PASSWORD = 'pw-of-the-orchestrator';
const USER_PASSWORD = 'pw of Grace, with "quotes"';

describeWith(OPENBAO, 'logins, on a real OpenBao', () => {
  let bao: OpenBao;
  let orchestrator: Orchestrator;
  let listener: Certificate;
  let folder: string;
  before(async () => {
    listener = await makeCertificate({ ip: '127.0.0.1' });
    bao = await startOpenBao({ scheme: 'https', config: (place) => tlsServer(place, listener) });
    await bao.initialize();
    await bao.ask('POST', 'sys/mounts/secret', { body: { type: 'kv', options: { version: '2' } } });
    orchestrator = await startOrchestrator((_, password) => password === PASSWORD);
    await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: PASSWORD } } });
    const policy = 'path "secret/data/adapters/*" { capabilities = ["read"] }';
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
  });
  after(async () => {
    await orchestrator.close();
    await bao.close();
  });
  beforeEach(() => {
    folder = temporaryFolder().path;
    writeFileSync(join(folder, 'ca.pem'), listener.cert);
  });

  const configuration = (auth: string, tls = '', address = bao.address): Configuration => ({
    folder,
    vault: [`address: ${address}`, `tls: { caFile: ca.pem${tls} }`, `auth: ${auth}`],
    adapters: { nso1: basicAdapter(orchestrator.url, 'admin', '$VAULT_adapters/nso1#password') },
  });
  const callsWork = (config: Configuration): Promise<void> =>
    withGatehouse(config, async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
    });
  /** Replaces a file like the programs that keep credentials up to date. */
  const replace = (name: string, text: string): void => {
    writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 });
    renameSync(join(folder, `${name}.new`), join(folder, name));
  };
  const faultOf = async (config: Configuration): Promise<string> => {
    const { code, out, err } = await runWith(writeConfiguration(config), 'check', '--probe');
    return `${code} ${out}${err}`;
  };

  describe('with a user name', () => {
    before(async () => {
      await bao.ask('POST', 'sys/auth/people', { body: { type: 'userpass' } });
      await bao.ask('POST', 'auth/people/users/grace', {
        body: { password: USER_PASSWORD, token_policies: 'gatehouse' },
      });
    });
    const auth = (username = 'grace') =>
      `{ method: userpass, mount: people, username: ${username}, passwordFile: password }`;

    it('userpass logs in with the password of a file', async () => {
      replace('password', `${USER_PASSWORD}\n`);
      await callsWork(configuration(auth()));
    });

    it('userpass names the setting when the password is wrong, and ends with 77', async () => {
      replace('password', 'wrong');
      const fault = await faultOf(configuration(auth('heidi')));
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
        await bao.ask('POST', `auth/cert/certs/${name}`, {
          body: { certificate: certificate.cert, token_policies: 'gatehouse' },
        });
      }
    });
    const write = ({ cert, key }: Certificate): void => {
      replace('client.key', key);
      replace('client.pem', cert);
    };

    it('logs in with a certificate that was renewed while the server runs', async () => {
      write(certificates[0]!);
      const config = configuration('{ method: cert }', ', certFile: client.pem, keyFile: client.key');
      await withGatehouse(config, async (gatehouse) => {
        assert.equal((await gatehouse.call('nso1')).status, 200);
        // The first certificate is of no use any more.
        await bao.ask('DELETE', 'auth/cert/certs/first');
        write(certificates[1]!);
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
    const auth = '{ method: token, tokenFile: token }';
    const createTokenFile = async (): Promise<string> => {
      const { auth: given } = await bao.ask('POST', 'auth/token/create', {
        body: { policies: ['gatehouse'], ttl: '1h' },
      });
      replace('token', String(given['client_token']));
      return String(given['client_token']);
    };
    const revoke = (token: string) => bao.ask('POST', 'auth/token/revoke', { body: { token } });

    it('vault review F7: tells that the token has ended, and ends with 77', async () => {
      await revoke(await createTokenFile());
      assert.match(
        await faultOf(configuration(auth)),
        /^77 .*The token in \S+token has ended.*VAULT_LOGIN_FAILED.*Write a new token/s,
      );
    });

    it('vault review F7: takes a new token within two seconds after the old one was revoked', async () => {
      const token = await createTokenFile();
      await withGatehouse(configuration(auth), async (gatehouse) => {
        await revoke(token);
        // A read that Vault refuses makes gatehouse look for the reason.
        await gatehouse.admin('POST', '/admin/vault/refresh');
        assert.match(gatehouse.log(), /has ended, was revoked/);
        await createTokenFile();
        const begun = performance.now();
        await until(() => gatehouse.log().includes('secret confirmed again'));
        assert.ok(performance.now() - begun < 4_000);
      });
    });

    it('vault review F7: takes a new token with a reload at once', async () => {
      const token = await createTokenFile();
      await withGatehouse(configuration(auth), async (gatehouse) => {
        await revoke(token);
        await gatehouse.server.reload();
        await createTokenFile();
        await gatehouse.server.reload();
        assert.match(gatehouse.log(), /secret confirmed again/);
      });
    });

    it('keeps a token that may not look itself up', async () => {
      await bao
        .ask('POST', 'auth/token/create', {
          body: { policies: ['gatehouse'], ttl: '1h', no_default_policy: true },
        })
        .then(({ auth: given }) => {
          replace('token', String(given['client_token']));
        });
      await withGatehouse(configuration(auth), async (gatehouse) => {
        assert.equal((await gatehouse.call('nso1')).status, 200);
        assert.match(gatehouse.log(), /token lookup denied/);
      });
    });
  });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { basicAdapter, type Gatehouse, startGatehouse } from './gatehouse.js';

interface Result {
  readonly ok: boolean;
  readonly cause: string | null;
  readonly fix: string | null;
}

describeWith(OPENBAO, 'the test of a reference that is not in use, on a real OpenBao', () => {
  let bao: OpenBao;
  let gatehouse: Gatehouse;
  let token: string;
  before(async () => {
    bao = await startOpenBao();
    for (const name of ['nso1', 'nso2', 'secret2'])
      await bao.ask('POST', `secret/data/adapters/${name}`, {
        body: { data: { password: 'pw-of-the-adapter' } },
      });
    const policy = 'path "secret/data/adapters/nso*" { capabilities = ["read"] }';
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
    const { auth } = await bao.ask('POST', 'auth/token/create', { body: { policies: ['gatehouse'] } });
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 'token'), String(auth['client_token']));
    gatehouse = await startGatehouse({
      folder,
      vault: [`address: ${bao.address}`, 'auth: { method: token, tokenFile: token }'],
      adapters: { nso1: basicAdapter('http://127.0.0.1:9', 'g', '$VAULT_adapters/nso1#password') },
    });
    token = (await openTokenSigner(join(folder, 'data', 'local-issuer.pem')))({
      subject: 'ada',
      roles: ['admin'],
    });
  });
  after(async () => {
    await gatehouse.close();
    await bao.close();
  });

  for (const [title, path, expected] of [
    ['finds a value', '$VAULT_adapters/nso2#password', undefined],
    ['names a missing field', '$VAULT_adapters/nso2#passwort', /field/i],
    ['names a missing secret', '$VAULT_adapters/nso3#password', /adapters\/nso3/],
    ['says that the policy denies the path', '$VAULT_adapters/secret2#password', /denied/],
  ] as const)
    it(title, async () => {
      const adapter = /adapters\/(\w+)/.exec(path)?.[1];
      const ask = () =>
        callUrl(`${gatehouse.url}/console/secrets/test`, {
          method: 'POST',
          token,
          body: { reference: path, adapter },
        });
      let reply = await ask();
      while (reply.status === 429) reply = await ask();
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.text.includes('pw-of-the-adapter'), false);
      const { ok, cause, fix } = reply.json as Result;
      assert.equal(ok, expected === undefined);
      if (expected) {
        assert.match(cause ?? '', expected);
        assert.match(fix ?? '', /\w/);
      }
    });
});

import assert from 'node:assert/strict';
import { runCommand } from '../../support/command-io.js';
import { checkMistake, writeMistake } from '../../support/mistakes.js';
import { createVaultDouble, type VaultDouble } from '../../support/vault-double.js';

const PASSWORD = 'x-y-z-1';

describe('gatehouse check --probe tells how to correct', () => {
  let vault: VaultDouble;
  let token: string;
  before(async () => {
    vault = await createVaultDouble();
    vault.putPolicy('edge', { 'secret/data/adapters/*': ['read'], 'secret/subkeys/adapters/*': ['read'] });
    token = vault.createToken({ policies: ['edge'] });
    vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  });
  after(() => vault.close());

  const main = (): string =>
    `vault: { address: "${vault.address}", auth: { method: token, tokenEnv: EDGE } }\n`;
  const adapter = (reference: string): string =>
    `plugin: restconf\nbaseUrl: http://127.0.0.1:9\nauth: { type: bearer, token: "${reference}" }\n`;

  async function probe(settings: string, reference = '$VAULT_adapters/nso1#password'): Promise<string> {
    const { faults } = await checkMistake({
      main: settings,
      files: { 'adapters/nso1.yaml': adapter(reference) },
      env: { EDGE: token },
      probe: true,
    });
    return faults.join('\n').replaceAll(new URL(vault.address).host, 'VAULT');
  }

  /** The message for a path of which the beginning must go. */
  const denied = (path: string, part: string): string =>
    `Vault denied "secret/data/${path}" at VAULT (status 403) | Leave "${part}" out of the path: write $VAULT_adapters/nso1, then # and the field.`;

  for (const [mistake, reference, says] of [
    [
      'V02 the path of the API of KV version 2',
      '$VAULT_data/adapters/nso1#password',
      denied('data/adapters/nso1', 'data/'),
    ],
    [
      'V02 the absolute path of the API of KV version 2',
      '$VAULT_/secret/data/adapters/nso1#password',
      denied('data/adapters/nso1', 'data/'),
    ],
    [
      'V02 the path with the mount, as Vault shows it (bug: the fix was a policy)',
      '$VAULT_secret/data/adapters/nso1#password',
      denied('secret/data/adapters/nso1', 'secret/data/'),
    ],
    [
      'V02 the path with the mount alone',
      '$VAULT_secret/adapters/nso1#password',
      denied('secret/adapters/nso1', 'secret/'),
    ],
    [
      'V03 a misspelt field, without the names of the fields',
      '$VAULT_adapters/nso1#passwd',
      'The secret has no field "passwd"; it has 1 field | Correct the field of the reference, or write the field to Vault; "gatehouse secrets check --show-fields" lists the fields of the secret.',
    ],
    [
      'V04 a path that no policy allows',
      '$VAULT_other/nso1#password',
      'Vault denied "secret/data/other/nso1" at VAULT (status 403) | Give the role a policy: path "secret/data/other/nso1" { capabilities = ["read"] }.',
    ],
    [
      'V05 a secret that does not exist',
      '$VAULT_adapters/none#password',
      'Vault has no secret "secret/data/adapters/none" at VAULT (status 404) | Correct the path of the reference, check vault.mount and vault.kvVersion, or write the secret.',
    ],
  ] as const)
    it(mistake, async () => {
      const found = await probe(main(), reference);
      assert.equal(found, `adapters/nso1.yaml:3:30 /auth/token: ${says}`);
      assert.ok(!found.includes(PASSWORD));
    });

  for (const [mistake, settings, says] of [
    [
      'V09 an address without TLS',
      () => main().replace(vault.address, 'http://vault.example:8200'),
      'gatehouse.yaml:1:19 /vault/address: The address is http, so the token and every secret would cross the network in the clear | Use https; "allowInsecure: true" permits http where the network itself is protected.',
    ],
    [
      'V10 an address with a path',
      () => main().replace(vault.address, `${vault.address}/v1`),
      'gatehouse.yaml:1:19 /vault/address: The address is not an origin | Write scheme, host and port only, for example "https://vault.example.net:8200".',
    ],
    [
      'V11 a port that is closed',
      () =>
        main().replace(vault.address, 'http://127.0.0.1:1').replace('} }', '}, request: { attempts: 1 } }'),
      'adapters/nso1.yaml:3:30 /auth/token: GET "auth/token/lookup-self" at 127.0.0.1:1 failed: Vault refuses connections on this port (ECONNREFUSED) | Check that Vault is up and that vault.address is right.',
    ],
    [
      'V11b a wrong proxy (bug: "no connection", and the advice to check Vault)',
      () => main().replace('auth:', 'proxy: "http://127.0.0.1:1", request: { attempts: 1 }, auth:'),
      `adapters/nso1.yaml:3:30 /auth/token: GET "auth/token/lookup-self" at VAULT failed: the proxy refuses connections on this port, so Vault is unreachable (ECONNREFUSED) | Correct vault.proxy, or start the proxy and let it connect to Vault.`,
    ],
    [
      'V12 a missing file of credentials',
      () => 'vault: { address: "https://127.0.0.1:1", auth: { method: approle, roleIdFile: none } }\n',
      'adapters/nso1.yaml:3:30 /auth/token: The file none cannot be read (ENOENT) | Write the credential to it, readable for this process, or correct vault.auth.roleIdFile.',
    ],
  ] as const)
    it(mistake, async () => {
      assert.equal(await probe(settings()), says);
    });

  it('V13 a wrong secret id', async () => {
    const { roleId } = vault.createAppRole('edge', { policies: ['edge'] });
    const settings = `vault: { address: "${vault.address}", auth: { method: approle, roleIdFile: role, secretIdFile: secret } }\n`;
    const { faults } = await checkMistake({
      main: settings,
      files: {
        role: roleId,
        secret: 'wrong',
        'adapters/nso1.yaml': adapter('$VAULT_adapters/nso1#password'),
      },
      probe: true,
    });
    assert.match(
      faults.join('\n'),
      /Vault refused the credentials sent to "auth\/approle\/login" .* \| Check the role id and the secret id in the files named in vault\.auth; a secret id may have expired or been used up\.$/,
    );
  });

  it('V15 a misspelt login method', async () => {
    const found = await probe(main().replace('method: token,', 'method: app-role,'));
    assert.match(
      found,
      /^gatehouse\.yaml:1:\d+ \/vault\/auth\/method: must be one of token, .*; did you mean "approle"\? \| Write one of these values\.$/,
    );
  });
});

describe('gatehouse secrets check', () => {
  it('V02 advises against the path of the API of KV version 2, not for a policy', async () => {
    const vault = await createVaultDouble();
    try {
      vault.putPolicy('edge', { 'secret/data/adapters/*': ['read'], 'sys/capabilities-self': ['update'] });
      const folder = writeMistake({
        main: `vault: { address: "${vault.address}", auth: { method: token, tokenEnv: EDGE } }\n`,
        files: {
          'adapters/nso1.yaml':
            'plugin: restconf\nbaseUrl: http://a\nauth: { type: bearer, token: $VAULT_secret/data/adapters/nso1#x }\n',
        },
      });
      const env = { EDGE: vault.createToken({ policies: ['edge'] }) };
      const { out } = await runCommand(['secrets', 'check', '--config', `${folder}/gatehouse.yaml`], { env });
      assert.match(
        out,
        /Leave "secret\/data\/" out of the path: write \$VAULT_adapters\/nso1, then # and the field\./,
      );
      assert.doesNotMatch(out, /Give the role a policy/);
    } finally {
      await vault.close();
    }
  });
});

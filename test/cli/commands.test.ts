import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSigningKey } from '../../src/auth/key-file.js';
import { verifyPassword } from '../../src/auth/password-hash.js';
import { Secret } from '../../src/core/secret.js';
import { runCommand } from '../support/command-io.js';
import { writeMistake } from '../support/mistakes.js';

const HMAC = 'secret: $VAULT_gatehouse/jwt#key';

function configure(main: string, adapters: Readonly<Record<string, string>> = {}): string {
  const files = Object.entries(adapters).map(([id, text]) => [`adapters/${id}.yaml`, text]);
  return join(
    writeMistake({ main, files: Object.fromEntries(files) as Record<string, string> }),
    'gatehouse.yaml',
  );
}

describe('gatehouse hash', () => {
  it('rejects an empty password and a password of fewer than eight characters', async () => {
    for (const [password, code] of Object.entries({ '': 64, seven77: 64, '🔑🔑🔑🔑🔑🔑🔑': 64, eight888: 0 }))
      assert.equal((await runCommand(['hash'], { input: `${password}\n` })).code, code, password);
  });

  it('rejects a common password with the reason and without repeating it', async () => {
    for (const password of ['P@ssw0rd1', 'Gatehouse2026!', '19841231']) {
      const { code, out, err } = await runCommand(['hash'], { input: `${password}\n` });
      assert.deepEqual([code, out], [64, '']);
      assert.match(err, /easy to guess/);
      assert.ok(!err.includes(password));
    }
  });

  it('accepts a long password, of which every character counts', async () => {
    const password = `${'a long sentence, '.repeat(8)}end`;
    const { code, out } = await runCommand(['hash'], { input: `${password}\n` });
    assert.equal(code, 0);
    assert.match(out, /^\$scrypt\$[^\n]+\n$/);
    assert.equal(await verifyPassword(new Secret(password), out.trim()), true);
    assert.equal(await verifyPassword(new Secret(password.slice(0, -1)), out.trim()), false);
  });
});

describe('gatehouse token', () => {
  const payloadOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  async function configureWithKey(): Promise<string> {
    const path = configure('auth: { local: { keyFile: key.pem } }');
    await createSigningKey(join(dirname(path), 'key.pem'));
    return path;
  }

  it('prints one token with the requested roles, subject and lifetime', async () => {
    const path = await configureWithKey();
    const { code, out, err } = await runCommand(
      ['token', '--role', 'admin', '--role', 'engineering', '--subject', 'ada', '--ttl', '60', '--config', path], // prettier-ignore
    );
    assert.deepEqual([code, err], [0, '']);
    const { sub, roles, exp, iat } = payloadOf(out);
    assert.deepEqual([sub, roles, Number(exp) - Number(iat)], ['ada', ['admin', 'engineering'], 60]);
  });

  it('prints the token and its expiry as JSON with --json', async () => {
    const path = await configureWithKey();
    const { out } = await runCommand(['token', '--role', 'admin', '--json', '--config', path]);
    const { token, expiresAt } = JSON.parse(out) as { token: string; expiresAt: string };
    assert.equal(Date.parse(expiresAt), Number(payloadOf(token)['exp']) * 1000);
    const both = await runCommand(['token', '--role', 'admin', '--json', '--for-curl', '--config', path]);
    assert.deepEqual([both.code, both.out], [64, '']);
  });

  it('reports a disabled issuer and an invalid lifetime', async () => {
    const token = (...args: readonly string[]) => runCommand(['token', '--role', 'a', ...args]);
    const path = configure('auth: { local: { enabled: false } }');
    assert.match((await token('--config', path)).err, /auth.local.enabled is false/);
    const open = configure('auth: { local: { keyFile: key.pem } }');
    for (const ttl of ['-1', '0', '86401', 'abc']) {
      const { code, err } = await token(`--ttl=${ttl}`, '--config', open);
      assert.equal(code, 64);
      assert.match(err, /--ttl takes a number of seconds from 1 to 86400/);
    }
  });

  it('C06: warns of a role that opens nothing, and names the roles that do', async () => {
    const path = await configureWithKey();
    const args = ['token', '--role', 'admin', '--role', 'root', '--config', path];
    const { code, out, err } = await runCommand(args);
    assert.deepEqual([code, payloadOf(out)['roles']], [0, ['admin', 'root']]);
    assert.match(
      err,
      /^warning: the role "root" opens nothing that the configuration files name; roles that do: admin, .*engineering.*\n$/,
    );
  });

  it('finding 26: creates no key, because a running server would not know it', async () => {
    const path = configure('auth: { local: { keyFile: key.pem } }');
    const { code, out, err } = await runCommand(['token', '--role', 'admin', '--config', path]);
    assert.deepEqual([code, out], [78, '']);
    assert.match(
      err,
      /key\.pem.* does not exist \[local_key_missing\]\n +Start the server, which creates the key\./,
    );
    assert.ok(!existsSync(join(dirname(path), 'key.pem')));
  });
});

describe('gatehouse openapi', () => {
  it('prints the operations of the release, or of another one, and rejects an invalid release', async () => {
    const pathsOf = async (...args: readonly string[]) => {
      const { code, out } = await runCommand(['openapi', ...args]);
      assert.equal(code, 0);
      const { paths } = JSON.parse(out) as {
        paths: Record<string, Record<string, { deprecated?: boolean }>>;
      };
      return paths;
    };
    const paths = await pathsOf();
    for (const path of ['/orchestrator_manager/restAction/{adapterId}', '/tools/restCall'])
      assert.ok(paths[path], path);
    assert.equal(paths['/providers'], undefined);
    assert.equal((await pathsOf('--release', '2020.2'))['/providers']?.['get']?.deprecated, true);
    const wrong = await runCommand(['openapi', '--release', '2020']);
    assert.equal(wrong.code, 64);
    assert.match(wrong.err, /"2020" is not a release/);
  });
});

describe('gatehouse check', () => {
  it('accepts a reference unresolved and reads it from Vault only with --probe', async () => {
    const issuer = `auth: { issuers: [{ issuer: "https://idp.example", audience: a, algorithms: [HS256], ${HMAC} }] }\n`;
    const vault =
      'vault: { address: "http://127.0.0.1:1", auth: { method: token }, request: { attempts: 1 } }\n';
    const path = configure(issuer + vault);
    assert.equal((await runCommand(['check', '--config', path])).code, 0);
    const probed = await runCommand(['check', '--probe', '--config', path], {
      env: { VAULT_TOKEN: 'hvs.x' },
    });
    assert.match(probed.out, /\/auth\/issuers\/0\/secret.*\[VAULT_UNAVAILABLE\]/);
    assert.equal(probed.code, 75);
  });

  it('rejects $ENC and references in place of a path (bug: paths were made absolute before the check)', async () => {
    const path = configure(
      'audit: { file: $ENC0123456789abcdef }\nlog: { file: $VAULT_db#f }\nauth: { local: { keyFile: $vault_x#y } }\n',
    );
    const { code, out } = await runCommand(['check', '--config', path]);
    assert.equal(code, 78);
    assert.match(out, /1:16 \/audit\/file: .*\[ENC_REJECTED\]/);
    assert.match(out, /2:14 \/log\/file: .*\[VAULT_REF_MISPLACED\]/);
    assert.match(out, /3:27 \/auth\/local\/keyFile: .*\[VAULT_REF/);
    assert.ok(!out.includes('0123456789abcdef'));
  });

  it('prints no ciphertext that is a member name', async () => {
    const path = configure('server: { $ENCdeadbeefcafe0001: 1 }\nadapters: { $ENCdeadbeefcafe0002: {} }\n');
    const { code, out } = await runCommand(['check', '--config', path]);
    assert.equal(code, 78);
    assert.ok(!out.includes('deadbeefcafe'), out);
  });
});

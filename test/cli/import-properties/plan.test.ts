import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkConfig } from '../../../src/cli/check-config.js';
import { importReport } from '../../../src/cli/import-properties/import-properties.js';
import { type ImportPlan, planImport } from '../../../src/cli/import-properties/plan.js';
import { readDocument } from '../../../src/config/document.js';
import { LOG_LEVELS } from '../../../src/core/log.js';
import { isJsonObject } from '../../../src/json/json-object.js';
import { pointerTo, valueAt, withValues } from '../../../src/json/pointer.js';
import { anyText } from '../../support/any-text.js';
import { column } from '../../support/columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { PROPERTIES } from './platform.js';

const NOWHERE = { isThere: () => false };
const SEED = { seed: 7 };

const basic = (password: string, username = 'u') => ({
  auth_method: 'basic user_password',
  username,
  password,
});

function plan(...values: readonly unknown[]): ImportPlan {
  const documents = values.map((value, at) => ({ file: `${at}.json`, value }));
  return planImport({ documents, machine: NOWHERE });
}

const outputOf = (made: ImportPlan): string =>
  [importReport(made), ...made.files.flatMap(({ path, text }) => [path, text])].join('\n');

const fileOf = ({ files }: ImportPlan, path: string): string =>
  files.find((file) => file.path === path)?.text ?? '';

const leavesOf = ({ leftOut }: ImportPlan): readonly string[] =>
  leftOut.flatMap(({ leaves }) => leaves.map(({ pointer }) => pointer));

function logBlockOf(made: ImportPlan): Readonly<Record<string, unknown>> {
  const { value } = readDocument({ file: 'a', text: fileOf(made, 'gatehouse.yaml') }, {});
  const log = valueAt(value, '/log');
  return isJsonObject(log) ? log : {};
}

async function faultsOf({ files }: ImportPlan): Promise<readonly unknown[]> {
  const temporary = temporaryFolder();
  const folder = temporary.path;
  mkdirSync(join(folder, 'adapters'));
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
  const { faults } = await checkConfig({ configPath: join(folder, 'gatehouse.yaml'), env: {}, probe: false });
  temporary.remove();
  return faults;
}

/** Returns the pointer and the value of every node of a document. */
function nodesOf(value: unknown, pointer = ''): readonly { pointer: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, value }];
  const below = Object.entries(value).flatMap(([name, member]) => nodesOf(member, pointerTo(pointer, name)));
  return [{ pointer, value }, ...below];
}
const NODES = nodesOf(PROPERTIES);
const anyPointer = fc.constantFrom(...NODES.map(({ pointer }) => pointer));
const stringNodes = NODES.filter(({ value }) => typeof value === 'string');
const objectNodes = NODES.filter(({ value }) => isJsonObject(value));

describe('planImport with the properties of the platform', () => {
  it('lists the Vault path of every required secret and keeps existing references', () => {
    const made = plan(PROPERTIES);
    assert.deepEqual(
      made.moves.map(({ kind, home }) => `${kind} ${home.path}#${home.field}`),
      [
        'plaintext adapters/nso1#password',
        'plaintext adapters/inventory#X-Api-Key',
        '{code} adapters/servicenow#password',
        'plaintext adapters/gateway#password',
      ],
    );
    assert.equal(made.commands[0], 'vault kv put -mount=kv-v2 adapters/nso1 password=-');
    assert.match(fileOf(made, 'adapters/inventory.yaml'), /token: \$VAULT_platform\/inventory#token\n/);
  });

  it('gives a secret a path that no reference uses', () => {
    const adapter = (id: string, password: string) => ({
      id,
      properties: { host: 'a.example', authentication: basic(password) },
    });
    const made = plan([adapter('a', '$SECRET_adapters/b $KEY_password'), adapter('b', 'plain')]);
    assert.deepEqual(made.moves.map(({ home }) => home.text), ['$VAULT_adapters/b#auth-password']); // prettier-ignore
    assert.match(made.commands.join(), /^vault kv patch /);
  });

  it('resolves references relative to the Vault endpoint of the platform', () => {
    const authentication = basic('$VAULT_lab/nso $KEY_pw');
    const made = plan({
      vaultProps: { url: 'https://vault.example', endpoint: 'kv/data/platform' },
      adapterProps: { adapters: [{ id: 'nso1', type: 'NSO', properties: { host: 'a', authentication } }] },
    });
    assert.match(fileOf(made, 'adapters/nso1.yaml'), /password: \$VAULT_platform\/lab\/nso#pw\n/);
    assert.match(fileOf(made, 'gatehouse.yaml'), /mount: kv\n/);
    assert.match(fileOf(made, 'gatehouse.yaml'), /method: token\n$/);
  });

  it('puts the role id and the secret id of Vault into files outside of the configuration', async () => {
    const ids = { role_id: 'r0le', secret_id: 's3cret' };
    const made = plan({ vaultProps: { url: 'http://vault.example:8200', authMethod: 'approle', ...ids } });
    assert.match(fileOf(made, 'gatehouse.yaml'), /secretIdFile: vault\/secret_id/);
    assert.match(made.tasks.join('\n'), /uses plain HTTP/);
    assert.match(made.tasks.join('\n'), /\/vaultProps\/secret_id to the file vault\/secret_id/);
    assert.ok(!/r0le|s3cret/.test(outputOf(made)));
    assert.deepEqual(await faultsOf(made), []);
  });

  it('serves TLS if certificate and key exist, and otherwise listens on the loopback address only', () => {
    const document = { expressProps: PROPERTIES.expressProps };
    assert.match(fileOf(plan(document), 'gatehouse.yaml'), /listen: 127\.0\.0\.1:3443\n/);
    const there = planImport({
      documents: [{ file: 'a', value: document }],
      machine: { isThere: () => true },
    });
    assert.match(fileOf(there, 'gatehouse.yaml'), /listen: 0\.0\.0\.0:3443\n +tls:\n +certFile: \/opt/);
    assert.deepEqual(there.tasks, []);
  });

  it('keeps the settings of an installed adapter and escapes texts that look like references', () => {
    const texts = { plain: 'x', variable: '${HOME}', literal: '$$VAULT_a', wrong: '$vault' };
    const odd = { ...texts, list: [1, null, 'yes'] };
    const value = { id: 'a', model: 'adapter-a', properties: { host: 'a', odd, $ENC00: 'x' } };
    const made = planImport({
      documents: [{ file: 'a', value }],
      machine: NOWHERE,
      installed: () => ({ folder: '../adapter-a', secrets: ['/odd/plain'] }),
    });
    const { value: written } = readDocument({ file: 'a', text: fileOf(made, 'adapters/a.yaml') }, {});
    assert.deepEqual(valueAt(written, '/options/properties'), {
      host: 'a',
      odd: {
        ...odd,
        plain: '$VAULT_adapters/a#plain',
        literal: '$$$VAULT_a',
        wrong: '$VAULT_adapters/a#wrong',
      },
      request: { number_retries: 0 },
    });
    assert.deepEqual(leavesOf(made), ['/properties/$ENC00']);
  });

  it('logs to the same file with the same rotation if its folder exists, otherwise adds a task', () => {
    const loggerProps = { log_directory: '/logs/', log_filename: 'a.log', log_max_file_size: 4096 };
    const document = { file: 'a', value: { loggerProps } };
    const there = planImport({ documents: [document], machine: { isThere: () => true } });
    assert.match(fileOf(there, 'gatehouse.yaml'), /file: \/logs\/a\.log\n +rotation:\n +bytes: 4096\n/);
    const away = plan({ loggerProps });
    assert.match(
      away.tasks.join(),
      /create the folder \/logs\/ on this machine, and set log\.file: \/logs\/a\.log/,
    );
    assert.deepEqual([leavesOf(there), leavesOf(away)], [[], []]);
  });

  it('uses the platform defaults for syslog and omits a syslog target on a local socket', () => {
    const syslogOf = (syslog: object) => logBlockOf(plan({ loggerProps: { syslog } }))['syslog'];
    assert.deepEqual(syslogOf({ host: 'a' }), { url: 'udp://a:514', facility: 'local0' });
    assert.deepEqual(syslogOf({ host: '::1', protocol: 'tcp6' }), {
      url: 'tcp://[::1]:514',
      facility: 'local0',
    });
    assert.equal(syslogOf({ host: 'a', protocol: 'unix', path: '/dev/log' }), undefined);
    assert.equal(syslogOf({ host: 'a b' }), undefined);
  });

  it('reports an audit trail that was disabled, because gatehouse always writes one', () => {
    assert.deepEqual(leavesOf(plan({ auditProps: { audit: false } })), ['/auditProps/audit']);
    assert.deepEqual(leavesOf(plan({ auditProps: { audit: true } })), []);
  });

  it('disables adapters with unsupported logins and adapters that the profile does not run', () => {
    const made = plan(PROPERTIES);
    const off = made.files.filter(({ text }) => text.includes('enabled: false')).map(({ path }) => path);
    assert.deepEqual(off, ['adapters/servicenow.yaml', 'adapters/spare.yaml']);
  });

  it('accepts API responses with lists of adapters and profiles and uses the active profile', () => {
    const record = PROPERTIES.adapterProps.adapters[1];
    const profile = (isActive: boolean, logoutTime: number) => ({
      metadata: { isActive, activeSync: true },
      profile: { id: 'p', authenticationProps: { logoutTime } },
    });
    const made = plan(
      { results: [{ metadata: { isActive: true, activeSync: true }, data: record }], total: 1 },
      { results: [profile(false, 10), profile(true, 20)], total: 2 },
    );
    assert.equal(made.adapters, 1);
    assert.match(fileOf(made, 'gatehouse.yaml'), /tokenTtlSeconds: 1200\n/);
    assert.ok(leavesOf(made).includes('/1.json/results/0/profile/authenticationProps/logoutTime'));
    assert.ok(!leavesOf(made).some((pointer) => pointer.includes('metadata')));
  });

  it('leaves out, with a reason, an adapter with an invalid file name, host or duplicate name', () => {
    const adapter = (id: string, host: string) => ({ id, properties: { host } });
    const made = plan([...['../a', 'a', 'A'].map((id) => adapter(id, 'a')), adapter('b', '1.2.3.999')]);
    assert.deepEqual(column(made.files, 'path'), ['gatehouse.yaml', 'adapters/a.yaml']); // prettier-ignore
    const reasons = made.leftOut.map(({ pointer, why }) => `${pointer} ${why}`);
    assert.match(reasons[0] ?? '', /^\/0 The name is not valid/);
    assert.match(reasons[1] ?? '', /^\/2 An earlier adapter has the same name/);
    assert.match(reasons[2] ?? '', /^\/3 The settings name no host/);
  });

  it('escapes platform texts that look like variables or references', async () => {
    const authentication = basic('p', '${HOME}$$VAULT_x');
    const made = plan([{ id: 'a', properties: { host: 'a', authentication } }]);
    assert.match(made.moves[0]?.home.text ?? '', /username$/);
    const plain = { ...authentication, username: '$$VAULT_x' };
    const other = plan([{ id: 'a', properties: { host: 'a', authentication: plain } }]);
    assert.match(fileOf(other, 'adapters/a.yaml'), /username: \$\$\$VAULT_x\n/);
    assert.deepEqual(await faultsOf(other), []);
  });
});

describe('planImport with arbitrary documents', () => {
  it('never throws (property)', () => {
    const check = fc.property(fc.jsonValue({ maxDepth: 6 }), anyPointer, (value, pointer) => {
      plan(value);
      plan(value, withValues(PROPERTIES, new Map([[pointer, value]])));
    });
    fc.assert(check, { numRuns: 300, ...SEED });
  });

  it('creates a configuration without faults (property)', async () => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(...['', '${A}', '$$VAULT_a', 'a/b', '::1', '..'], 0, -1, 65_536, 1e9),
      fc.constantFrom<unknown>(true, null, [], {}),
      anyText(),
    );
    const check = fc.asyncProperty(
      fc.tuple(anyPointer, values),
      fc.tuple(anyPointer, values),
      async (one, other) => {
        const changed = withValues(PROPERTIES, new Map<string, unknown>([one, other]));
        assert.deepEqual(await faultsOf(plan(changed)), []);
      },
    );
    await fc.assert(check, { numRuns: 40, ...SEED });
  }).timeout(60_000);

  it('keeps every supported log setting and reports the rest (property)', async () => {
    const syslog = fc.record({
      host: fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6()),
      port: fc.integer({ min: 1, max: 65_535 }),
      protocol: fc.constantFrom('udp4', 'udp6', 'tcp4', 'tcp6', 'tls4', 'tls6'),
      facility: fc.constantFrom('user', 'daemon', 'auth', 'authpriv', 'local0', 'local7'),
      app_name: fc.stringMatching(/^[a-z]{1,48}$/),
    });
    const logger = fc.record({
      log_level: fc.constantFrom(...LOG_LEVELS),
      log_max_files: fc.integer({ min: 1, max: 10_000 }),
      log_max_file_size: fc.integer({ min: 1_024 }),
      syslog,
    });
    const check = fc.asyncProperty(logger, async (loggerProps) => {
      const made = plan({ loggerProps });
      const { log_level: level, log_max_files: keep, log_max_file_size: bytes } = loggerProps;
      const { host, port, protocol, facility, app_name: appName } = loggerProps.syslog;
      const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      const url = `${protocol.slice(0, 3)}://${place}`;
      const expected = { level, rotation: { bytes, keep }, syslog: { url, facility, appName } };
      assert.deepEqual(logBlockOf(made), expected);
      assert.deepEqual(leavesOf(made), []);
      assert.deepEqual(await faultsOf(made), []);
    });
    await fc.assert(check, { numRuns: 40, ...SEED });
  }).timeout(60_000);

  it('prints no secret at any position with any marker', () => {
    const hidden = 'hidden0c1d2e3f';
    const marks = '$ENC|{code}|{crypt}|$SECRET_a |-----BEGIN PRIVATE KEY-----| $enc|$VAULT_a b '.split('|');
    for (const { pointer } of stringNodes)
      for (const mark of marks) {
        const made = plan(withValues(PROPERTIES, new Map([[pointer, mark + hidden]])));
        assert.ok(!outputOf(made).includes(hidden), `${pointer} ${mark}`);
      }
  });

  it('prints no ciphertext that is a member name', () => {
    for (const { pointer, value } of objectNodes) {
      const named = { ...(value as object), $ENChidden0c1d2e3f: 'x' };
      const made = plan(withValues(PROPERTIES, new Map([[pointer, named]])));
      assert.ok(!outputOf(made).includes('hidden0c'), pointer);
    }
  });

  it('reports every unknown member at any position', () => {
    for (const { pointer, value } of objectNodes) {
      const more = { ...(value as object), unheardOf: 1 };
      const made = plan(withValues(PROPERTIES, new Map([[pointer, more]])));
      assert.ok(leavesOf(made).includes(`${pointer}/unheardOf`), pointer);
    }
  });
});

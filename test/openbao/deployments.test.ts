import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, ROOT } from '../docs/markdown.js';
import { makeCertificate } from '../support/certificates.js';
import { findOpenBao, OPENBAO, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith, itWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { withHttps } from './bench.js';
import { basicAdapter, runWith } from './gatehouse.js';

/** Runs a script in a folder, with the program `bao` for the server. */
function shell(
  bao: OpenBao,
  script: string,
  given: { env?: Readonly<Record<string, string>>; input?: string } = {},
) {
  const bin = join(bao.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'bao'), `#!/bin/sh\nexec "${findOpenBao() ?? ''}" "$@"\n`, { mode: 0o755 });
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
    cwd: bao.folder,
    env: { HOME: bao.folder, PATH, BAO_ADDR: bao.address, ...given.env },
    input: given.input ?? '',
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0, `${script}\n${stdout}${stderr}`);
  return stdout;
}

// The Compose project, with its programs but without containers: the configuration and the commands are those that it ships.
describeWith(OPENBAO, 'the OpenBao of the Compose project', () => {
  let bao: OpenBao;
  before(async () => {
    bao = await startOpenBao({ config: (place) => onLoopback(shipped('openbao.hcl'), place) });
  });
  after(() => bao.close());

  itWith(
    POSTGRES_PROGRAMS,
    'starts with the shipped configuration, is set up by the commands of the guide, and serves gatehouse',
    async () => {
      const database = await startPostgres({ own: true });
      try {
        const init = blockWith('bao operator init')
          .split('\n')
          .find((line) => line.includes('operator init'));
        const said = shell(bao, inContainer(init ?? '').replace('http://127.0.0.1:8200', bao.address));
        const [, key = ''] = /Unseal Key 1: (\S+)/.exec(said) ?? [];
        const [, root = ''] = /Initial Root Token: (\S+)/.exec(said) ?? [];
        assert.ok(key !== '' && root !== '', said);

        const setUp = blockWith('bao operator unseal')
          .replace(/^docker compose .*\n/, '')
          .replace('export BAO_ADDR=http://127.0.0.1:8200\n', '')
          // The two commands read from the terminal.
          .replace('bao operator unseal\n', `bao operator unseal "$KEY"\n${WAIT_FOR_LEADER}\n`)
          .replace('bao login\n', 'printf %s "$ROOT" | bao login -\n')
          .replace('exit\n', '');
        const printed = shell(bao, setUp, { env: { KEY: key, ROOT: root } });
        const ids = printed.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
        assert.ok(ids.length >= 2, printed);

        const store = /kv put (.*) url=-/.exec(blockWith('gatehouse/store'))?.[1] ?? '';
        shell(bao, `bao kv put ${store} url=-`, { env: { BAO_TOKEN: root }, input: database.url });
        const config = writeConfig(ids.slice(-2), bao.address);
        const { code, out } = await runWith(config, 'check', '--probe');
        assert.match(`${code} ${out}`, /^0 /);
      } finally {
        await database.close();
      }
    },
  );

  /** Writes the shipped configuration of gatehouse, with the credentials that the commands printed. */
  const writeConfig = (ids: readonly string[], address: string): string => {
    const { path: folder } = temporaryFolder();
    const path = join(folder, 'gatehouse.yaml');
    const text = shipped('config/gatehouse.yaml')
      .replace('http://openbao:8200', address)
      .replaceAll('/run/secrets/', `${folder}/`)
      .replaceAll('/var/lib/gatehouse', folder)
      .replace(/0\.0\.0\.0:3000/, '127.0.0.1:0');
    writeFileSync(path, text);
    for (const [at, name] of ['vault_role_id', 'vault_secret_id'].entries())
      writeFileSync(join(folder, name), ids[at] ?? '', { mode: 0o600 });
    return path;
  };
});

/** Waits for the election of the node after `unseal`, which takes the administrator less time than typing does. */
const WAIT_FOR_LEADER =
  'until bao status >/dev/null 2>&1 && bao read sys/leader 2>/dev/null | grep -q "is_self *true"; do sleep 0.1; done';

/** The least policy that suffices: each of its lines is needed. */
describeWith(OPENBAO, 'the policy of the guide, on a real OpenBao', () => {
  let bao: OpenBao;
  before(async () => {
    bao = await startOpenBao();
    for (const path of ['adapters/nso1', 'gatehouse/issuer'])
      await bao.ask('POST', `secret/data/${path}`, {
        body: { data: { value: 'a-value-of-the-test-with-32-characters' } },
      });
  });
  after(() => bao.close());

  const lines = blockWith('vault policy write gatehouse', 'docs/how-to/set-up-vault.md')
    .split('\n')
    .filter((line) => line.startsWith('path '));
  const check = async (policy: readonly string[], ...words: readonly string[]): Promise<number> => {
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: policy.join('\n') } });
    const body = { policies: ['gatehouse'], ttl: '1h' };
    const { auth } = await bao.ask('POST', 'auth/token/create', { body });
    const folder = temporaryFolder().path;
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(join(folder, 'token'), String(auth['client_token']));
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(
      path,
      `server: { listen: "127.0.0.1:0" }
vault: { address: "${bao.address}", auth: { method: token, tokenFile: token } }
storage: { url: "sqlite:data/gatehouse.db" }
auth: { issuers: [{ issuer: "https://idp.example", audience: gatehouse, algorithms: [HS256], secret: $VAULT_gatehouse/issuer }] }
`,
    );
    const adapter = basicAdapter('http://127.0.0.1:9', 'admin', '$VAULT_adapters/nso1');
    writeFileSync(join(folder, 'adapters', 'nso1.yaml'), adapter);
    return (await runWith(path, ...words)).code;
  };
  const bothWork = async (policy: readonly string[]): Promise<boolean> => {
    const codes = [await check(policy, 'secrets', 'check'), await check(policy, 'check', '--probe')];
    return codes.every((code) => code === 0);
  };

  it('is enough for secrets check and check --probe', async () => {
    assert.equal(lines.length, 4);
    assert.ok(await bothWork(lines));
  });

  for (const line of lines)
    it(`is not enough without ${line.replace(/\s+/g, ' ')}`, async () => {
      assert.equal(await bothWork(lines.filter((one) => one !== line)), false);
    });
});

const PAGE = 'docs/how-to/set-up-openbao.md';

// The first step of the page reads keys and the token from the terminal. The test passes them as arguments and standard input.
describeWith(OPENBAO, `the first step of ${PAGE}, on a real OpenBao that is not initialized`, () => {
  let bao: OpenBao;
  before(async () => {
    bao = await startOpenBao(withHttps(await makeCertificate({ ip: '127.0.0.1' })));
  });
  after(() => bao.close());

  it('initializes and unseals the server, and logs the administrator in', () => {
    const run = (script: string, input = '') =>
      shell(bao, script, { env: { BAO_CACERT: join(bao.folder, 'cert.pem') }, input });
    const lines = blockWith('operator init', PAGE).trim().split('\n');
    const [address = '', init = '', unseal = '', login = ''] = lines;
    assert.match(address, /^export BAO_ADDR=https:/);

    const printed = run(init);
    const keys = [...printed.matchAll(/Unseal Key \d: (\S+)/g)].map(([, key = '']) => key);
    const [, root = ''] = /Initial Root Token: (\S+)/.exec(printed) ?? [];
    assert.equal(keys.length, 5);

    assert.match(unseal, /three times/);
    const [command = ''] = unseal.split(' #');
    const statuses = keys.slice(0, 3).map((key) => run(`${command.trim()} ${key}`));
    assert.match(statuses[1] ?? '', /^Sealed\s+true$/m);
    assert.match(statuses[2] ?? '', /^Sealed\s+false$/m);

    run(`${login} -`, root);
    assert.match(run('bao token lookup'), /^policies\s+\[root\]$/m);
  });
});

function shipped(name: string): string {
  return readFileSync(join(ROOT, 'deploy/compose', name), 'utf8');
}

/** Returns the configuration with the addresses and the folder of the test. */
function onLoopback(hcl: string, place: { folder: string; port: number; clusterPort: number }): string {
  return hcl
    .replaceAll('openbao:8200', `127.0.0.1:${place.port}`)
    .replaceAll('openbao:8201', `127.0.0.1:${place.clusterPort}`)
    .replace('0.0.0.0:8200', `127.0.0.1:${place.port}`)
    .replace('/openbao/file', join(place.folder, 'raft'));
}

/** Returns the first block of a page that contains the text. */
function blockWith(text: string, page = 'docs/how-to/run-with-docker.md'): string {
  const block = readPage(page).blocks.find((one) => one.text.includes(text));
  if (!block) throw new Error(`${page} has no block with "${text}"`);
  return block.text;
}

/** Returns the command that `docker compose exec` runs in the container. */
function inContainer(line: string): string {
  return line.replace(/^docker compose exec (-\w+ )?openbao /, '');
}

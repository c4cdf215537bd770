import assert from 'node:assert/strict';
import { makeCertificate } from '../support/certificates.js';
import { column } from '../support/columns.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { eventually, until } from '../support/until.js';
import {
  type Bench,
  checked,
  type Login,
  openBench,
  PASSWORD,
  TOKEN_FILE,
  withGatehouse,
  withHttps,
} from './bench.js';
import { type Gatehouse, raft, startGatehouse } from './gatehouse.js';

describeWith(OPENBAO, 'outages of a real OpenBao', () => {
  let bench: Bench;
  let ca: string;
  before(async () => {
    const listener = await makeCertificate({ ip: '127.0.0.1' });
    bench = await openBench(withHttps(listener, raft));
    ca = listener.cert;
  });
  after(() => bench.close());
  const withLogin = ({ auth, files }: Login, ...lines: readonly string[]) =>
    bench.configuration([auth, 'tls: { caFile: ca.pem }', ...lines], { ...files, 'ca.pem': ca });
  const configuration = (...lines: readonly string[]) =>
    withLogin({ auth: TOKEN_FILE, files: { token: bench.bao.token } }, ...lines);
  const stateOf = async ({ url }: Gatehouse): Promise<readonly [number, string]> => {
    const reply = await fetch(`${url}/readyz`);
    const { vault } = (await reply.json()) as { vault: string };
    return [reply.status, vault];
  };
  /** Returns the codes of the problems that the console shows. */
  const problemsOf = async (gatehouse: Gatehouse): Promise<readonly string[]> => {
    const { json } = await gatehouse.admin('GET', '/console/overview');
    return column((json as { readonly problems: readonly { readonly code: string }[] }).problems, 'code');
  };
  const vaultProblems = async (gatehouse: Gatehouse): Promise<readonly string[]> =>
    (await problemsOf(gatehouse)).filter((code) => code.startsWith('vault-'));

  it('V-01 a start waits for a sealed server, and serves once it is unsealed', async () => {
    await bench.bao.seal();
    const lines: string[] = [];
    const config = configuration('boot: { waitSeconds: 60 }');
    const starting = startGatehouse({ ...config, onLogLine: (line) => lines.push(line) });
    await until(() => lines.some((line) => /waiting for Vault.*VAULT_SEALED/.test(line)));
    await bench.bao.unseal();
    const gatehouse = await starting;
    try {
      assert.equal((await gatehouse.call('nso1')).status, 200);
    } finally {
      await gatehouse.close();
    }
  });

  for (const [title, problem, begin, end] of [
    ['V-05 a sealed server', 'vault-sealed', () => bench.bao.seal(), () => bench.bao.unseal()],
    [
      'V-05 a server that was stopped and restarted',
      'vault-unreachable',
      () => bench.bao.stop(),
      async () => {
        await bench.bao.start();
        await bench.bao.unseal();
      },
    ],
  ] as const)
    it(`${title}: the last values serve, the state is degraded, and recovers`, async () => {
      await withGatehouse(configuration(), async (gatehouse) => {
        assert.deepEqual(await stateOf(gatehouse), [200, 'ok']);
        await begin();
        try {
          await gatehouse.server.reload().catch(() => undefined);
          await until(() => gatehouse.log().includes('secret not confirmed'));
          assert.deepEqual(await stateOf(gatehouse), [200, 'degraded']);
          assert.deepEqual(await vaultProblems(gatehouse), [problem]);
          assert.equal((await gatehouse.call('nso1')).status, 200);
        } finally {
          await end();
        }
        await gatehouse.server.reload();
        assert.deepEqual(await stateOf(gatehouse), [200, 'ok']);
        assert.deepEqual(await vaultProblems(gatehouse), []);
        assert.match(gatehouse.log(), /secret confirmed again/);
      });
    });

  it('T-05 and A-18 a server that hangs neither stops calls nor delays the shutdown', async function () {
    // `eventually` names the failure before this limit.
    this.timeout(120_000);
    const config = withLogin(await bench.appRole('hanging'), 'request: { deadlineMs: 500, attempts: 1 }');
    const gatehouse = await startGatehouse(config);
    try {
      bench.bao.signal('SIGSTOP');
      // The server may answer one more request before the signal stops all of its threads.
      await eventually(async () => {
        const result = await gatehouse.server.reload().catch(String);
        assert.match(gatehouse.log(), /secret not confirmed/, JSON.stringify([result, gatehouse.log()]));
      });
      assert.equal((await gatehouse.call('nso1')).status, 200);
    } finally {
      const begun = performance.now();
      await gatehouse.close();
      bench.bao.signal('SIGCONT');
      // The revocation of the token is given up after a second.
      assert.ok(performance.now() - begun < 20_000);
    }
  });

  it('a quota of 5 reads a second slows down a start with 40 secrets (bug: 13 of 40 adapters were DEAD)', async function () {
    this.timeout(120_000);
    const names = Array.from({ length: 40 }, (_, at) => `limited-${at}`);
    for (const name of names)
      await bench.bao.ask('POST', `secret/data/adapters/${name}`, { body: { data: { password: PASSWORD } } });
    const config = configuration();
    const file = config.adapters['nso1'] ?? '';
    const adapters = Object.fromEntries(
      names.map((name) => [name, file.replace('adapters/nso1#', `adapters/${name}#`)]),
    );
    const quota = 'sys/quotas/rate-limit/for-many';
    await bench.bao.ask('POST', quota, { body: { path: 'secret', rate: 5 } });
    try {
      await withGatehouse({ ...config, adapters }, async (gatehouse) => {
        const states = await Promise.all(names.map(async (name) => (await gatehouse.call(name)).status));
        assert.deepEqual(new Set(states), new Set([200]));
        assert.doesNotMatch(gatehouse.log(), /VAULT_RATE_LIMITED/);
        const read = gatehouse.log().match(/"secret read"|secret read/g)?.length;
        assert.equal(read, 40, 'each secret is read once');
        assert.deepEqual(await problemsOf(gatehouse), []);
      });
    } finally {
      await bench.bao.ask('DELETE', quota);
    }
  });

  it('A-09 a role that five wrong secret ids have locked is named as such', async () => {
    const login = await bench.appRole('locked');
    for (let times = 0; times < 5; times += 1)
      await bench.bao.ask('POST', 'auth/approle/login', {
        token: '',
        body: { role_id: login.files['role_id'], secret_id: 'wrong' },
        allow: [400, 403],
      });
    assert.match(await checked(withLogin(login)), /^77 .*VAULT_LOCKED_OUT/s);
  });
});

import assert from 'node:assert/strict';
import { until } from '../../support/until.js';
import { createTokenBench, edgeRole, type TokenBench } from './token-bench.js';

const LOGIN = 'auth/approle/login';
const RENEW = 'auth/token/renew-self';
describe('the token manager', () => {
  let bench: TokenBench;
  beforeEach(async () => {
    bench = await createTokenBench();
  });
  afterEach(() => bench.close());
  const warnings = (): readonly string[] =>
    bench.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);

  it('A-14 keeps the token while renewals fail', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { ttl: 1200 }));
    const token = await tokens.current();
    bench.vault.faults.next({ match: ({ path }) => path === RENEW, status: 503, times: 3 });
    const waits: (number | undefined)[] = [bench.time.next()];
    for (let renewal = 0; renewal < 4; renewal += 1) {
      assert.equal(await bench.step(), RENEW);
      waits.push(bench.time.next());
    }
    assert.deepEqual(waits, [800_000, 1500, 2500, 4500, 800_000]);
    assert.equal(await tokens.current(), token);
    assert.equal(warnings().filter((message) => message === 'vault token not renewed').length, 3);
  });

  it('A-14 logs in again when no renewal succeeds before the token expires', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { ttl: 30 }));
    const token = await tokens.current();
    bench.vault.faults.next({ match: ({ path }) => path === RENEW, status: 503, times: 99 });
    while ((await bench.step()) === RENEW);
    assert.equal(bench.paths().at(-1), LOGIN);
    assert.notEqual(await tokens.current(), token);
  });

  it('A-15 logs in again before the maximum life of the token ends', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { ttl: 1200, maxTtl: 3000 }));
    const token = await tokens.current();
    const start = bench.time.now();
    while ((await bench.step()) === RENEW);
    assert.equal(bench.paths().at(-1), LOGIN);
    assert.ok(bench.time.now() - start < 3000_000);
    await until(() => bench.lines.length > 1);
    assert.notEqual(await tokens.current(), token);
    assert.ok(bench.paths().filter((path) => path === RENEW).length <= 5);
    assert.equal(bench.vault.vaultState.tokens.has(token.reveal()), true);
  });

  it('A-15 uses the old token while new logins fail', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { ttl: 1200, renewable: false }));
    const token = await tokens.current();
    bench.vault.faults.next({ status: 500, times: 2 });
    assert.equal(await bench.step(), LOGIN);
    assert.equal(await tokens.current(), token);
    assert.equal(await bench.step(), LOGIN);
    assert.equal(await bench.step(), LOGIN);
    assert.notEqual(await tokens.current(), token);
  });

  for (const [what, terms] of [
    ['batch token', { type: 'batch' }],
    ['token that is not renewable', { renewable: false }],
  ] as const)
    it(`A-16 replaces a ${what} after 85 % of its life`, async () => {
      const { tokens } = await bench.open(await edgeRole(bench, { ttl: 1000, ...terms }));
      const token = await tokens.current();
      assert.equal(bench.time.next(), 850_000);
      assert.equal(await bench.step(), LOGIN);
      assert.notEqual(await tokens.current(), token);
      assert.ok(!bench.paths().includes(RENEW));
    });

  it('A-16 renews a periodic token without limit', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { period: 600, maxTtl: 60 }));
    const token = await tokens.current();
    for (let renewal = 0; renewal < 10; renewal += 1) assert.equal(await bench.step(), RENEW);
    assert.equal(await tokens.current(), token);
  });

  it('A-16 warns about a root token and sets no timer', async () => {
    const { tokens } = await bench.open({ method: 'token', tokenEnv: 'STATIC' });
    await tokens.current();
    assert.equal(bench.time.next(), undefined);
    assert.deepEqual(warnings(), ['vault token never expires; a token with a limited lifetime is safer']);
  });

  it('A-16 refuses a token with a limited number of uses', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { numUses: 5 }));
    const refusal = { code: 'VAULT_LOGIN_FAILED', message: /limited number of times/, fix: /token_num_uses/ };

    await assert.rejects(tokens.current(), refusal);
    await assert.rejects(tokens.current(), refusal);
    assert.deepEqual(bench.paths(), [LOGIN]);
    const tokenFile = await bench.write('token', bench.vault.createToken({ policies: [], numUses: 5 }));
    const ready = await bench.open({ method: 'token', tokenFile, tokenEnv: 'X' });
    await assert.rejects(ready.tokens.current(), refusal);
  });

  it('A-05 looks up a configured token, renews it, and warns when it is not renewable', async () => {
    const renewable = bench.vault.createToken({ policies: ['edge'], ttl: 900 });
    bench.env['TOKEN'] = renewable;
    const { tokens } = await bench.open({ method: 'token', tokenEnv: 'TOKEN' });
    assert.equal((await tokens.current()).reveal(), renewable);
    assert.deepEqual(bench.paths(), ['auth/token/lookup-self']);
    assert.equal(await bench.step(), RENEW);
    const fixed = bench.vault.createToken({ policies: ['edge'], ttl: 900, renewable: false });
    const fixedFile = await bench.write('fixed', fixed);
    const other = await bench.open({ method: 'token', tokenFile: fixedFile, tokenEnv: 'X' });
    assert.equal((await other.tokens.current()).reveal(), fixed);
    assert.match(warnings().join(), /cannot be renewed; replace it before it expires/);
  });

  it('S-11 notifies listeners of a new token, and does not revoke the old token', async () => {
    const { tokens } = await bench.open(await edgeRole(bench, { ttl: 1000, renewable: false }));
    let newTokens = 0;
    const stop = tokens.onNewToken(() => (newTokens += 1));
    const old = await tokens.current();
    assert.equal(newTokens, 0);
    await bench.step();
    await until(() => newTokens === 1);
    assert.ok(bench.vault.vaultState.tokens.has(old.reveal()));
    stop();
    await bench.step();
    assert.equal(newTokens, 1);
  });

  it('A-18 revokes all its tokens on close, also replaced tokens that are still valid', async () => {
    const client = await bench.open(await edgeRole(bench, { ttl: 1000, renewable: false }));
    await client.tokens.current();
    await bench.step();
    await client.close();
    assert.equal(bench.paths().filter((path) => path === 'auth/token/revoke-self').length, 2);
    assert.equal(bench.vault.vaultState.tokens.size, 1);
  });
});

import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { until } from '../support/until.js';
import { auditedServer, type Bench, openBench, requestsOf, withGatehouse } from './bench.js';
import { runWith, writeConfiguration } from './gatehouse.js';

// Tokens of a few seconds take the place of a clock of the test.
describeWith(OPENBAO, 'the life of a token, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ config: auditedServer });
  });
  after(() => bench.close());

  const count = (target: string): number =>
    requestsOf(bench.bao).filter(({ operation, path }) => `${operation} ${path}` === target).length;
  /** Starts gatehouse with an AppRole of these terms, waits until the condition holds, and reads a secret. */
  const serve = async (
    name: string,
    terms: Readonly<Record<string, unknown>>,
    isDone: () => boolean,
  ): Promise<string> => {
    const { auth, files } = await bench.appRole(name, terms);
    let log = '';
    await withGatehouse(bench.configuration([auth], files), async (gatehouse) => {
      await until(isDone);
      await gatehouse.server.reload();
      assert.equal((await gatehouse.call('nso1')).status, 200);
      log = gatehouse.log();
    });
    return log;
  };
  const LOGIN = 'update auth/approle/login';
  const RENEWAL = 'update auth/token/renew-self';

  it('A-14 logs in again before the end when the policy allows no renewal', async () => {
    const logins = count(LOGIN);
    const log = await serve(
      'not-renewed',
      { token_ttl: '6s', token_no_default_policy: true },
      () => count(LOGIN) >= logins + 2,
    );
    assert.match(log, /auth\/token\/renew-self.*update/s);
    assert.doesNotMatch(log, /secret not confirmed/);
  });

  it('A-16 replaces a batch token, which cannot be renewed', async () => {
    const [logins, renewals] = [count(LOGIN), count(RENEWAL)];
    await serve('batch', { token_type: 'batch', token_ttl: '4s' }, () => count(LOGIN) >= logins + 2);
    assert.equal(count(RENEWAL), renewals);
  });

  it('A-16 refuses tokens with a limited number of uses', async () => {
    const { auth, files } = await bench.appRole('counted', { token_num_uses: 5 });
    const path = writeConfiguration(bench.configuration([auth], files));
    const { code, out } = await runWith(path, 'check', '--probe');
    assert.match(`${code} ${out}`, /^77 .*token_num_uses/s);
  });
});

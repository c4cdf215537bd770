import assert from 'node:assert/strict';
import type { AdapterSignals } from '../../../src/features/console/adapter-status.js';
import { createIssueHistory, issuesOf } from '../../../src/features/console/issues.js';
import type { VaultView } from '../../../src/secrets/condition.js';
import { column, columns } from '../../support/columns.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { assertMembers } from '../../support/members.js';

const NO_TRAFFIC = {
  ...{ calls: 0, errors: 0, clientErrors: 0, perMinute: 0, errorsPerMinute: 0 },
  ...{ p50Ms: null, p95Ms: null },
};

function trafficOf(calls: number, errors: number): AdapterSignals['traffic'] {
  return { ...NO_TRAFFIC, calls, errors, perMinute: calls / 5, errorsPerMinute: errors / 5 };
}

function signals(own: Partial<AdapterSignals>): AdapterSignals {
  return {
    ...{ name: 'nso1', state: 'RUNNING', suspended: null, connection: 'ONLINE', cause: null, causes: [] },
    ...{ generalCause: null, breaker: 'closed', traffic: NO_TRAFFIC, ...own },
  };
}

const connected: VaultView = { condition: 'connected', cachedCount: 0, lostCount: 0 };
const healthy = { refusal: [], vault: connected } as const;

/** Returns the issues of a healthy server with these adapters. */
const found = (adapters: readonly Partial<AdapterSignals>[], server: object = {}) =>
  issuesOf(adapters.map(signals), { ...healthy, ...server });

const titlesOf = (...adapters: readonly Partial<AdapterSignals>[]) =>
  found(adapters).map(({ severity, title }) => `${severity}: ${title}`);

describe('issuesOf', () => {
  it('returns no issues while everything works', () => {
    const traffic = trafficOf(500, 45);
    assert.deepEqual(titlesOf({}, { connection: 'UNKNOWN' }, { traffic }), []);
  });

  it('returns at most one issue for each adapter, the most severe first, and none for acts of operators', () => {
    const busy = (errors: number) => trafficOf(50, errors);
    assert.deepEqual(
      titlesOf(
        { name: 'a', state: 'STOPPED', cause: 'ada stopped it' },
        { name: 'b', suspended: 'paused', cause: 'paused by an operator' },
        { name: 'c', traffic: busy(5) },
        { name: 'd', cause: 'it still runs with its previous configuration: schema at /baseUrl' },
        { name: 'e', state: 'DEAD', cause: 'no secret' },
        { name: 'f', connection: 'OFFLINE', breaker: 'open', cause: 'away', traffic: busy(50) },
        { name: 'g', breaker: 'open', cause: 'left alone' },
        { name: 'h', traffic: busy(25) },
        { name: 'i', traffic: trafficOf(1, 1) },
        { name: 'j', connection: 'LOGIN_REFUSED', breaker: 'open', cause: 'answered 401', traffic: busy(50) },
      ),
      [
        'danger: e cannot start',
        'danger: f is unreachable',
        'danger: g has an open circuit breaker',
        'danger: h has many failed calls',
        'danger: j cannot log in to its orchestrator',
        'warning: c has many failed calls',
        'warning: d does not work fully',
      ],
    );
  });

  it('returns an issue if most calls are rejected, which is not ordinary work any more', () => {
    const rejected = (clientErrors: number) => ({ ...trafficOf(100, 0), clientErrors });
    assertMembers(found([{ traffic: rejected(97) }]), [
      {
        ...{ severity: 'warning', code: 'calls-rejected', title: 'nso1 has many rejected calls' },
        cause: '97 of 100 calls are rejected',
      },
    ]);
    assert.deepEqual(titlesOf({ traffic: rejected(49) }), []);
    assert.deepEqual(titlesOf({ traffic: { ...rejected(97), perMinute: 1 } }), []);
    const failed = titlesOf({ traffic: { ...rejected(60), errors: 40 } });
    assert.deepEqual(failed, ['warning: nso1 has many failed calls']);
  });

  it('computes the share of failed calls from their numbers, not from rounded rates', () => {
    // 5 of 11 calls in 4.6 minutes are 45 %; the rounded rates, 1.1 and 2.4, are 46 %.
    const many = { ...trafficOf(11, 5), perMinute: 2.4, errorsPerMinute: 1.1 };
    assert.equal(found([{ traffic: many }])[0]?.cause, '45 of 100 calls fail');
    // 1 of 11 calls is 9 %, below the limit of 10 %; the rounded rates, 0.3 and 2.4, are 12.5 %.
    const few = { ...trafficOf(11, 1), perMinute: 2.4, errorsPerMinute: 0.3 };
    assert.deepEqual(titlesOf({ traffic: few }), []);
  });

  it('groups 36 adapters that fail by one cause, although their orchestrators differ', () => {
    const generalCause = 'the target refuses connections on this port';
    const adapters = Array.from({ length: 36 }, (_, index) => ({
      ...{ name: `edge${index}`, connection: 'OFFLINE' as const, generalCause },
      cause: `10.0.0.${index}:443 refuses connections on this port`,
      traffic: { ...trafficOf(5, 0), errorsPerMinute: 0.5 },
    }));
    const groups = found(adapters);
    const about = { name: '' };
    assertMembers(groups, [
      { title: '36 adapters are unreachable', cause: generalCause, failedCallsPerMinute: 18, about },
    ]);
    assert.equal(groups[0]?.adapters.length, 36);
    const [one] = found(adapters.slice(0, 1));
    assertMembers(one, { title: 'edge0 is unreachable', cause: adapters[0]?.cause });
    const [other] = found([{ connection: 'OFFLINE', generalCause: 'no route' }]);
    assert.notEqual(other?.key, one?.key);
  });

  it('groups adapters whose calls fail by one answer of one host, and counts the share of all of them', () => {
    const host = 'nso1.example.com:8443';
    const failure = { status: 500, code: 'upstream_failed', host, reason: 'database is locked' };
    const adapters = Array.from({ length: 10 }, (_, at) => ({
      ...{ name: `edge${at}.example.com`, traffic: trafficOf(1000, at === 0 ? 200 : 1000) },
    }));
    const groups = found(adapters, { failureOf: () => failure });
    const title = `10 adapters: ${host} answers 500 (database is locked)`;
    assertMembers(groups, [{ title, cause: '92 of 100 calls fail', severity: 'danger', failure }]);
    assert.equal(groups[0]?.adapters.length, 10);
    const [one] = found(adapters.slice(0, 1), { failureOf: () => ({ ...failure, reason: '' }) });
    assert.equal(one?.title, `edge0.example.com: ${host} answers 500`);
    assert.equal(one.key, groups[0].key, 'the words of the orchestrator do not start another issue');
    const failureOf = (name: string) => ({ ...failure, host: name });
    assert.equal(found(adapters.slice(0, 2), { failureOf }).length, 2);
  });

  it('names the reason of failing calls that no answer ended', () => {
    const failure = { status: null, code: 'upstream_timeout', host: '', reason: 'no answer within 30000 ms' };
    const [issue] = found([{ traffic: trafficOf(1000, 500) }], { failureOf: () => failure });
    const cause = '50 of 100 calls fail: no answer within 30000 ms';
    assertMembers(issue, { title: 'nso1 has many failed calls', cause });
  });

  it('reports problems of the database, the audit trail, certificates, Vault and the configuration', () => {
    const fault = { file: 'gatehouse.yaml', line: 3, column: 1, pointer: '/log', code: 'schema' };
    const refusal = [{ ...fault, message: 'is wrong', fix: '' }];
    assert.deepEqual(found([], { down: [] }), []);
    const vault: VaultView = { condition: 'unreachable', cachedCount: 0, lostCount: 2 };
    const certificates = { service: 'certificates', reason: 'core1: ends today' };
    const down = [{ service: 'store' }, { service: 'audit' }, certificates];
    assert.deepEqual(column(found([], { down, vault, refusal, outdatedMain: 'x' }), 'title'), [
      'The database does not answer',
      'The audit trail cannot be written',
      'Vault is unreachable. 2 secrets have expired or are too old.',
      'A certificate has expired or expires soon',
      'The configuration on disk was refused',
      'Earlier settings are still in use',
    ]);
    assert.equal(found([], { refusal })[0]?.cause, 'gatehouse.yaml:3 /log: is wrong');
  });

  it('returns the problems of the server before those of its adapters', () => {
    const vault: VaultView = { condition: 'sealed', cachedCount: 2, cachedUntil: 1, lostCount: 0 };
    assert.deepEqual(columns(found([{ state: 'DEAD', cause: 'no secret' }], { vault }), 'severity', 'code'), [
      ['warning', 'vault-sealed'],
      ['danger', 'adapter-failed'],
    ]);
  });

  it('reports Vault with the number of cached values and their end', () => {
    const cachedUntil = Date.UTC(2026, 0, 1, 0, 47);
    const failure = { reference: '$VAULT_a#p', message: 'Vault is sealed', fix: 'Unseal it.' };
    const sealed: VaultView = { condition: 'sealed', cachedCount: 2, cachedUntil, lostCount: 0, failure };
    assertMembers(found([], { vault: sealed })[0], {
      title: 'Vault is sealed. 2 secrets run on cached values until 00:47 UTC.',
      ...{ severity: 'warning', code: 'vault-sealed', cachedSecrets: 2, until: cachedUntil },
      about: { name: '' },
    });
    const [one] = found([], { vault: { ...sealed, cachedCount: 1 } });
    assert.equal(one?.about.name, '$VAULT_a#p');
  });

  it('keeps the time of the first occurrence until the issue is gone', async () => {
    const clock = createFakeScheduler();
    const began = clock.now();
    const remember = createIssueHistory(clock);
    const dead = found([{ state: 'DEAD' }]);
    assert.equal(remember(dead).isChanged, true);
    await clock.pass(5_000);
    const again = remember(dead);
    assert.deepEqual([again.isChanged, again.issues[0]?.since], [false, began]);
    const joined = remember(found([{ state: 'DEAD' }, { name: 'nso2', state: 'DEAD' }]));
    assert.deepEqual([joined.isChanged, joined.issues[0]?.since], [true, began]);
    assert.equal(remember([]).isChanged, true);
    assert.equal(remember(dead).issues[0]?.since, began + 5_000);
  });
});

import assert from 'node:assert/strict';
import type { AdapterSignals } from '../../../src/features/console/adapter-status.js';
import { createIssueHistory, issuesOf } from '../../../src/features/console/issues.js';
import type { VaultView } from '../../../src/secrets/condition.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const NO_TRAFFIC = {
  ...{ calls: 0, errors: 0, clientErrors: 0, perMinute: 0, errorsPerMinute: 0 },
  ...{ p50Ms: null, p95Ms: null },
};

function trafficOf(calls: number, errors: number): AdapterSignals['traffic'] {
  return { ...NO_TRAFFIC, calls, errors, perMinute: calls / 5, errorsPerMinute: errors / 5 };
}

function sampleSignals(own: Partial<AdapterSignals>): AdapterSignals {
  return {
    ...{ name: 'nso1', state: 'RUNNING', suspended: null, connection: 'ONLINE', cause: null, causes: [] },
    ...{ generalCause: null, breaker: 'closed', traffic: NO_TRAFFIC, ...own },
  };
}

const connected: VaultView = { condition: 'connected', cachedCount: 0, lostCount: 0 };
const healthy = { refusal: [], vault: connected } as const;

const titlesOf = (...adapters: readonly Partial<AdapterSignals>[]) =>
  issuesOf(adapters.map(sampleSignals), healthy).map(({ severity, title }) => `${severity}: ${title}`);

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
    const [issue, ...others] = issuesOf([sampleSignals({ traffic: rejected(97) })], healthy);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [issue?.severity, issue?.code, issue?.title, issue?.cause],
      ['warning', 'calls-rejected', 'nso1 has many rejected calls', '97 of 100 calls are rejected'],
    );
    assert.deepEqual(titlesOf({ traffic: rejected(49) }), []);
    assert.deepEqual(titlesOf({ traffic: { ...rejected(97), perMinute: 1 } }), []);
    assert.deepEqual(titlesOf({ traffic: { ...rejected(60), errors: 40 } }), [
      'warning: nso1 has many failed calls',
    ]);
  });

  it('computes the share of failed calls from their numbers, not from rounded rates', () => {
    // 5 of 11 calls in 4.6 minutes are 45 %; the rounded rates, 1.1 and 2.4, are 46 %.
    const many = { ...trafficOf(11, 5), perMinute: 2.4, errorsPerMinute: 1.1 };
    const [issue] = issuesOf([sampleSignals({ traffic: many })], healthy);
    assert.equal(issue?.cause, '45 of 100 calls fail');
    // 1 of 11 calls is 9 %, below the limit of 10 %; the rounded rates, 0.3 and 2.4, are 12.5 %.
    const few = { ...trafficOf(11, 1), perMinute: 2.4, errorsPerMinute: 0.3 };
    assert.deepEqual(titlesOf({ traffic: few }), []);
  });

  it('groups 36 adapters that fail by one cause, although their orchestrators differ', () => {
    const generalCause = 'the target refuses connections on this port';
    const adapters = Array.from({ length: 36 }, (_, index) =>
      sampleSignals({
        name: `edge${index}`,
        connection: 'OFFLINE',
        cause: `10.0.0.${index}:443 refuses connections on this port`,
        generalCause,
        traffic: { ...trafficOf(5, 0), errorsPerMinute: 0.5 },
      }),
    );
    const [group, ...others] = issuesOf(adapters, healthy);
    assert.deepEqual(others, []);
    assert.equal(group?.title, '36 adapters are unreachable');
    assert.equal(group.cause, generalCause);
    assert.deepEqual([group.adapters.length, group.failedCallsPerMinute, group.about.name], [36, 18, '']);
    const [one] = issuesOf(adapters.slice(0, 1), healthy);
    assert.deepEqual(
      [one?.title, one?.cause],
      ['edge0 is unreachable', '10.0.0.0:443 refuses connections on this port'],
    );
    const [other] = issuesOf([sampleSignals({ connection: 'OFFLINE', generalCause: 'no route' })], healthy);
    assert.notEqual(other?.key, one?.key);
  });

  it('groups adapters whose calls fail by one answer of one host, and counts the share of all of them', () => {
    const locked = {
      status: 500,
      code: 'upstream_failed',
      host: 'nso1.example.com:8443',
      reason: 'database is locked',
    };
    const adapters = Array.from({ length: 10 }, (_, at) =>
      sampleSignals({ name: `edge${at}.example.com`, traffic: trafficOf(1000, at === 0 ? 200 : 1000) }),
    );
    const [group, ...others] = issuesOf(adapters, { ...healthy, failureOf: () => locked });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [group?.title, group?.cause, group?.severity, group?.adapters.length, group?.failure],
      [
        '10 adapters: nso1.example.com:8443 answers 500 (database is locked)',
        ...['92 of 100 calls fail', 'danger', 10, locked],
      ],
    );
    const [one] = issuesOf(adapters.slice(0, 1), {
      ...healthy,
      failureOf: () => ({ ...locked, reason: '' }),
    });
    assert.equal(one?.title, 'edge0.example.com: nso1.example.com:8443 answers 500');
    assert.equal(one.key, group?.key, 'the words of the orchestrator do not start another issue');
    const hosts = issuesOf(adapters.slice(0, 2), {
      ...healthy,
      failureOf: (name) => ({ ...locked, host: name }),
    });
    assert.equal(hosts.length, 2);
  });

  it('names the reason of failing calls that no answer ended', () => {
    const failure = { status: null, code: 'upstream_timeout', host: '', reason: 'no answer within 30000 ms' };
    const [issue] = issuesOf([sampleSignals({ traffic: trafficOf(1000, 500) })], {
      ...healthy,
      failureOf: () => failure,
    });
    assert.deepEqual(
      [issue?.title, issue?.cause],
      ['nso1 has many failed calls', '50 of 100 calls fail: no answer within 30000 ms'],
    );
  });

  it('reports problems of the database, the audit trail, certificates, Vault and the configuration', () => {
    const fault = { file: 'gatehouse.yaml', line: 3, column: 1, pointer: '/log', code: 'schema' };
    const refusal = [{ ...fault, message: 'is wrong', fix: '' }];
    const titles = (signs: object) => issuesOf([], { ...healthy, ...signs }).map(({ title }) => title);
    assert.deepEqual(titles({ down: [] }), []);
    const vault: VaultView = { condition: 'unreachable', cachedCount: 0, lostCount: 2 };
    const down = [
      { service: 'store' },
      { service: 'audit' },
      { service: 'certificates', reason: 'core1: ends today' },
    ];
    assert.deepEqual(titles({ down, vault, refusal, outdatedMain: 'x' }), [
      'The database does not answer',
      'The audit trail cannot be written',
      'Vault is unreachable. 2 secrets have expired or are too old.',
      'A certificate has expired or expires soon',
      'The configuration on disk was refused',
      'Earlier settings are still in use',
    ]);
    assert.equal(issuesOf([], { ...healthy, refusal })[0]?.cause, 'gatehouse.yaml:3 /log: is wrong');
  });

  it('returns the problems of the server before those of its adapters', () => {
    const vault: VaultView = { condition: 'sealed', cachedCount: 2, cachedUntil: 1, lostCount: 0 };
    const adapters = [sampleSignals({ state: 'DEAD', cause: 'no secret' })];
    assert.deepEqual(
      issuesOf(adapters, { ...healthy, vault }).map(({ severity, code }) => [severity, code]),
      [
        ['warning', 'vault-sealed'],
        ['danger', 'adapter-failed'],
      ],
    );
  });

  it('reports Vault with the number of cached values and their end', () => {
    const cachedUntil = Date.UTC(2026, 0, 1, 0, 47);
    const failure = { reference: '$VAULT_a#p', message: 'Vault is sealed', fix: 'Unseal it.' };
    const sealed: VaultView = { condition: 'sealed', cachedCount: 2, cachedUntil, lostCount: 0, failure };
    const [several] = issuesOf([], { ...healthy, vault: sealed });
    assert.equal(several?.title, 'Vault is sealed. 2 secrets run on cached values until 00:47 UTC.');
    assert.deepEqual(
      [several.severity, several.code, several.cachedSecrets, several.until, several.about.name],
      ['warning', 'vault-sealed', 2, cachedUntil, ''],
    );
    const [one] = issuesOf([], { ...healthy, vault: { ...sealed, cachedCount: 1 } });
    assert.equal(one?.about.name, '$VAULT_a#p');
  });

  it('keeps the time of the first occurrence until the issue is gone', async () => {
    const clock = createFakeScheduler();
    const began = clock.now();
    const remember = createIssueHistory(clock);
    const dead = issuesOf([sampleSignals({ state: 'DEAD' })], healthy);
    assert.equal(remember(dead).isChanged, true);
    await clock.pass(5_000);
    const again = remember(dead);
    assert.deepEqual([again.isChanged, again.issues[0]?.since], [false, began]);
    const joined = remember(
      issuesOf([sampleSignals({ state: 'DEAD' }), sampleSignals({ name: 'nso2', state: 'DEAD' })], healthy),
    );
    assert.deepEqual([joined.isChanged, joined.issues[0]?.since], [true, began]);
    assert.equal(remember([]).isChanged, true);
    assert.equal(remember(dead).issues[0]?.since, began + 5_000);
  });
});

import assert from 'node:assert/strict';
import { createIssueHistory, issuesOf } from '../../../../src/api/services/monitoring/issues.js';
import type { AdapterStatusView } from '../../../../src/core/monitoring.js';
import { createFakeScheduler } from '../../../support/fake-scheduler.js';

const NO_TRAFFIC = { perMinute: 0, errorsPerMinute: 0, p50Ms: null, p95Ms: null };

function sampleStatusView(own: Partial<AdapterStatusView>): AdapterStatusView {
  return {
    name: 'nso1',
    type: 'nso',
    model: 'nso',
    state: 'RUNNING',
    suspended: null,
    request: null,
    pending: null,
    connection: 'ONLINE',
    connectionSince: null,
    since: 0,
    cause: null,
    origin: { kind: 'record', revision: 1 },
    baseUrls: [],
    breaker: 'closed',
    inFlight: 0,
    waiting: 0,
    traffic: NO_TRAFFIC,
    ...own,
  };
}

const healthy = { refusal: [], vault: 'running', references: [] } as const;

const titlesOf = (...adapters: readonly Partial<AdapterStatusView>[]) =>
  issuesOf(adapters.map(sampleStatusView), healthy).map(({ severity, title }) => `${severity}: ${title}`);

describe('issuesOf', () => {
  it('returns no issues while everything works', () => {
    const traffic = { ...NO_TRAFFIC, perMinute: 100, errorsPerMinute: 9 };
    assert.deepEqual(titlesOf({}, { connection: 'UNKNOWN' }, { traffic }), []);
  });

  it('returns at most one issue for each adapter, the most severe first', () => {
    const busy = (errorsPerMinute: number) => ({ ...NO_TRAFFIC, perMinute: 10, errorsPerMinute });
    assert.deepEqual(
      titlesOf(
        { state: 'STOPPED' },
        { traffic: busy(1) },
        { cause: 'it still runs with its previous configuration: schema at /baseUrl' },
        { state: 'DEAD', cause: 'no secret' },
        { connection: 'OFFLINE', breaker: 'open', cause: 'away', traffic: busy(10) },
        { breaker: 'open', cause: 'left alone' },
        { traffic: busy(5) },
        { traffic: { ...NO_TRAFFIC, perMinute: 0.2, errorsPerMinute: 0.2 } },
      ),
      [
        'danger: The adapter is dead',
        'danger: The orchestrator cannot be used',
        'danger: The breaker is open',
        'danger: Many calls fail',
        'warning: The adapter is stopped',
        'warning: Many calls fail',
        'warning: The adapter does not work fully',
      ],
    );
  });

  it('reports problems of the database, Vault and the configuration', () => {
    const fault = { file: 'gatehouse.yaml', line: 3, column: 1, pointer: '/log', code: 'schema' };
    const refusal = [{ ...fault, message: 'is wrong', fix: '' }];
    const titles = (signs: object) => issuesOf([], { ...healthy, ...signs }).map(({ title }) => title);
    assert.deepEqual(titles({ isStoreUp: true, vault: 'running' }), []);
    assert.deepEqual(titles({ isStoreUp: false, vault: 'failed', refusal, outdatedMain: 'x' }), [
      'The database does not answer',
      'Secrets in use have expired or are too old',
      'The configuration on disk was refused',
      'Earlier settings are still in use',
    ]);
    assert.equal(issuesOf([], { ...healthy, refusal })[0]?.cause, 'gatehouse.yaml:3 /log: is wrong');
  });

  it('names the secret that could not be confirmed', () => {
    const failure = { code: 'VAULT_DENIED', message: 'not allowed', fix: '' } as const;
    const stale = { reference: '$VAULT_a#p', state: 'stale', failure } as const;
    const never = { reference: '$VAULT_b#p', state: 'missing', failure } as const;
    const [one] = issuesOf([], { ...healthy, vault: 'degraded', references: [never, stale] });
    assert.deepEqual(
      [one?.severity, one?.cause, one?.about.name],
      ['warning', '$VAULT_a#p: not allowed', '$VAULT_a#p'],
    );
    const [several] = issuesOf([], { ...healthy, vault: 'failed', references: [stale, stale] });
    assert.deepEqual([several?.severity, several?.about.name], ['danger', '']);
    assert.deepEqual(issuesOf([], { ...healthy, references: [stale] }), []);
  });

  it('keeps the time of the first occurrence until the issue is gone', async () => {
    const clock = createFakeScheduler();
    const began = clock.now();
    const remember = createIssueHistory(clock);
    const dead = issuesOf([sampleStatusView({ state: 'DEAD' })], healthy);
    assert.equal(remember(dead).isChanged, true);
    await clock.pass(5_000);
    const again = remember(dead);
    assert.deepEqual([again.isChanged, again.issues[0]?.since], [false, began]);
    assert.equal(remember([]).isChanged, true);
    assert.equal(remember(dead).issues[0]?.since, began + 5_000);
  });
});

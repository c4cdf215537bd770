import assert from 'node:assert/strict';
import {
  type AdapterWithCauses,
  causeOf,
  causeOfIssue,
  scheduleOf,
  withSecretWords,
} from '../../../console/src/pages/adapters/cause.js';
import { resultsOf } from '../../../console/src/pages/adapters/test-results.js';
import { observedAdapter, rates } from '../observed.js';

const noon = new Date();
noon.setHours(12, 5, 33, 0);
const AT = noon.getTime();
const TIME = /12:05/;

const cause = (
  kind: AdapterWithCauses['causes'][number]['kind'],
  more: Partial<AdapterWithCauses> & { readonly detail?: string } = {},
): string =>
  causeOf({ request: null, breakerUntil: null, causes: [{ kind, detail: more.detail ?? null }], ...more }) ??
  '';

describe('the cause of an adapter', () => {
  it('is absent for an adapter that works', () => {
    assert.equal(causeOf(observedAdapter()), undefined);
  });

  it('says who requested a state, when and why, with local times (a raw ISO time was shown)', () => {
    const request = { by: 'ada', at: AT, reason: 'maintenance', until: null };
    const stopped = cause('stopped', { request });
    assert.match(stopped, /^Stopped by ada \(.*12:05.*\): maintenance$/);
    const paused = cause('paused', { request: { ...request, until: AT, reason: null } });
    assert.match(paused, /^Paused by ada until .*12:05.*\.$/);
    assert.equal(cause('refusing'), 'Blocked by an operator.');
    for (const sentence of [stopped, paused]) assert.doesNotMatch(sentence, /\dT\d|Z\b/);
  });

  it('says which suspension begins later, when, until when and why', () => {
    const scheduled = {
      wanted: 'refusing',
      from: AT,
      by: 'ada',
      at: 0,
      reason: 'window 7',
      until: AT,
    } as const;
    assert.match(
      scheduleOf({ scheduled }) ?? '',
      /^Block scheduled by ada for .*12:05.* until .*12:05.*: window 7$/,
    );
    assert.equal(scheduleOf({ scheduled: null }), undefined);
  });

  it('says until when a circuit breaker refuses calls', () => {
    assert.match(cause('breaker-open', { breakerUntil: AT }), /refused until .*12:05:33/);
    assert.match(cause('breaker-open'), /refused for a while/);
  });

  it('explains why a secret is missing, and keeps the code for the guide', () => {
    const found = cause('failed', { detail: 'VAULT_NOT_FOUND at /auth/password' });
    assert.equal(found, 'Vault has no value for auth.password (VAULT_NOT_FOUND)');
    assert.equal(
      cause('outdated', { detail: 'VAULT_SEALED at /auth/token' }),
      'It still runs with its previous configuration: Vault is sealed, so auth.token has no value (VAULT_SEALED)',
    );
    const words = withSecretWords('VAULT_NEW_CODE at /tls/keyFile');
    assert.match(words, /secret for tls\.keyFile is not available/);
    assert.equal(
      withSecretWords('10.0.0.5:443 refuses connections on this port'),
      '10.0.0.5:443 refuses connections on this port',
    );
  });

  it('has all reasons why an adapter does not run', () => {
    const causes = [
      { kind: 'disabled', detail: 'adapters/nso1.yaml' },
      { kind: 'left-out', detail: 'night' },
    ] as const;
    assert.equal(
      causeOf({ request: null, breakerUntil: null, causes }),
      'Stopped: “enabled: false” is set in adapters/nso1.yaml. Stopped: the active profile “night” does not include it.',
    );
  });
});

describe('the cause of a problem', () => {
  it('is that of its adapter, in words', () => {
    const failing = observedAdapter({ name: 'a', traffic: rates(10, 2) });
    const open = observedAdapter({
      name: 'b',
      breakerUntil: AT,
      causes: [{ kind: 'breaker-open', detail: null }],
    });
    const all = [failing, open];
    const issue = (code: 'calls-failing' | 'breaker-open' | 'adapter-failed', ...adapters: string[]) =>
      causeOfIssue({ code, cause: 'VAULT_DENIED at /auth/password', adapters, failure: null }, all);
    assert.equal(issue('calls-failing', 'a'), '20 % of the calls fail.');
    assert.equal(issue('calls-failing', 'a', 'b'), '20 % of the calls fail.');
    const failure = { status: null, code: 'upstream_timeout', host: '', reason: 'no answer' };
    const timedOut = { code: 'calls-failing', cause: '', adapters: ['a'], failure } as const;
    assert.equal(causeOfIssue(timedOut, all), '20 % of the calls fail. no answer');
    assert.match(issue('breaker-open', 'b'), TIME);
    assert.match(issue('breaker-open', 'a', 'b'), /for a while/);
    assert.match(issue('adapter-failed', 'x', 'y'), /^Vault does not allow gatehouse to read/);
  });
});

describe('the result of a test of several adapters', () => {
  it('is one message for each verdict', () => {
    const verdicts = (reachable: number, failed: number, untested: number) => {
      const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`);
      return new Map([
        ...names(reachable, 'up').map((name) => [name, 'reachable'] as const),
        ...names(failed, 'edge').map((name) => [name, 'not reachable'] as const),
        ...names(untested, 'off').map((name) => [name, 'not tested'] as const),
      ]);
    };
    assert.deepEqual(resultsOf(verdicts(36, 0, 0)), [['success', 'All 36 adapters are reachable.']]);
    const refused = new Map(['core0', 'core1'].map((name) => [name, 'login refused'] as const));
    assert.deepEqual(resultsOf(refused), [
      ['danger', '2 adapters are refused by their orchestrators: core0 and core1.'],
    ]);
    assert.deepEqual(resultsOf(verdicts(29, 7, 1)), [
      ['danger', '7 adapters are not reachable: edge0, edge1, edge2, edge3, edge4, and 2 more.'],
      ['success', '29 adapters are reachable.'],
      ['info', '1 adapter was not tested: it was tested a moment ago, or does not run.'],
    ]);
  });
});

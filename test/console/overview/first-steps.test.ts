import assert from 'node:assert/strict';
import {
  firstStepsOf,
  type FirstStepsState,
  isEstablished,
  mayTakeFirstSteps,
} from '../../../console/src/pages/overview/first-steps.js';
import { observedAdapter } from '../observed.js';

const DAY_MS = 86_400_000;
const TO = 20 * DAY_MS;

const cell = (at: number, calls: number) => ({
  ...{ at, calls, errors: 0, p50Ms: null, p95Ms: null, clientErrors: 0 },
  ...{ maxInFlight: 0, maxWaiting: 0, openSeconds: 0, halfOpenSeconds: 0 },
});

const NEW: FirstStepsState = {
  userName: 'ada',
  vault: 'missing',
  adapters: [],
  hasCalls: false,
  hasForms: false,
};

const doneIn = (state: FirstStepsState): readonly string[] =>
  firstStepsOf(state).flatMap(({ key, isDone }) => (isDone ? [key] : []));

describe('the first steps', () => {
  it('begin with the sign-in done, and a link to a call only with an adapter', () => {
    assert.deepEqual(doneIn(NEW), ['signIn']);
    const call = firstStepsOf(NEW).find(({ key }) => key === 'call');
    assert.deepEqual(call, { key: 'call', isDone: false, adapter: undefined, to: undefined });
  });

  it('are done one by one, and Vault only while it confirms the secrets', () => {
    const adapters = [observedAdapter()];
    assert.deepEqual(doneIn({ ...NEW, vault: 'failed' }), ['signIn']);
    assert.deepEqual(doneIn({ ...NEW, vault: 'connected' }), ['signIn', 'vault']);
    assert.deepEqual(doneIn({ ...NEW, adapters }), ['signIn', 'adapter']);
    assert.deepEqual(doneIn({ ...NEW, hasCalls: true }), ['signIn', 'call']);
    assert.deepEqual(doneIn({ ...NEW, hasForms: true }), ['signIn', 'form']);
  });

  it('lead to an adapter that runs, whatever its name', () => {
    const adapters = [
      observedAdapter({ name: 'dead', state: 'DEAD' }),
      observedAdapter({ name: 'nso 1/ä?.example.com' }),
    ];
    const call = firstStepsOf({ ...NEW, adapters }).find(({ key }) => key === 'call');
    assert.ok(call?.key === 'call');
    assert.equal(call.to, '/adapters/nso%201%2F%C3%A4%3F.example.com?tab=try');
  });

  it('are not for an installation with calls of more than three days ago', () => {
    const cells = [cell(TO - 4 * DAY_MS, 0), cell(TO - 2 * DAY_MS, 5)];
    assert.equal(isEstablished({ cells: [], to: TO }), false);
    assert.equal(isEstablished({ cells, to: TO }), false);
    assert.equal(isEstablished({ cells: [cell(TO - 4 * DAY_MS, 1), ...cells], to: TO }), true);
  });

  it('are only for users who may take all of them', () => {
    const steps = mayTakeFirstSteps(() => true);
    assert.equal(steps, true);
    const actual = mayTakeFirstSteps((operation) => operation !== 'createAdapter');
    assert.equal(actual, false);
  });
});

import assert from 'node:assert/strict';
import { faultOfObject } from '../../../console/src/kit/json-text.js';
import { actionsOf, isPlainSuccess } from '../../../console/src/pages/adapters/actions.js';
import { sampleSettings } from '../../../console/src/pages/adapters/settings-sample.js';
import {
  adapterStatusOf,
  chosenAdapters,
  connectionOf,
  stateOf,
  typesOf,
  withLiveRates,
} from '../../../console/src/pages/adapters/status.js';
import { observedAdapter, rates } from '../observed.js';

describe('the status of an adapter', () => {
  it('shows the worse of state and connection', () => {
    const words = (changes: Parameters<typeof observedAdapter>[0]) => {
      const adapter = observedAdapter(changes);
      return [stateOf(adapter).word, connectionOf(adapter).word, adapterStatusOf(adapter).word];
    };
    assert.deepEqual(words({}), ['Running', 'Online', 'Running']);
    assert.deepEqual(words({ connection: 'OFFLINE' }), ['Running', 'Offline', 'Offline']);
    assert.deepEqual(words({ connection: 'LOGIN_REFUSED', breaker: 'open' }).slice(1), [
      'Login refused',
      'Login refused',
    ]);
    assert.deepEqual(words({ breaker: 'open' }), ['Running', 'Breaker open', 'Breaker open']);
    assert.equal(words({ breaker: 'half-open' })[1], 'Breaker testing');
    assert.equal(words({ breaker: 'half-open', connection: 'OFFLINE' })[1], 'Offline');
    assert.deepEqual(words({ suspended: 'paused' }), ['Paused', 'Online', 'Paused']);
    assert.deepEqual(words({ state: 'DEAD', breaker: 'open' }), ['Failed', 'Not connected', 'Failed']);
  });

  it('uses the rates of the latest event', () => {
    const [core, other] = withLiveRates([observedAdapter(), observedAdapter({ name: 'new' })], {
      ...rates(7),
      adapters: { core1: rates(7) },
    });
    assert.equal(core?.traffic.perMinute, 7);
    assert.equal(other?.traffic.perMinute, 0);
  });

  it('returns the same adapter for the same rates, so that its row is not rendered again', () => {
    const adapters = [observedAdapter(), observedAdapter({ name: 'nso1.example.com' })];
    const [one, others] = [rates(1234), rates(7)];
    const first = withLiveRates(adapters, {
      ...rates(0),
      adapters: { core1: one, 'nso1.example.com': others },
    });
    const next = withLiveRates(adapters, {
      ...rates(0),
      adapters: { core1: one, 'nso1.example.com': rates(8) },
    });
    assert.equal(next[0], first[0]);
    assert.notEqual(next[1], first[1]);
  });

  it('filters the adapters by state and type', () => {
    const all = [
      observedAdapter(),
      observedAdapter({ name: 'b', type: 'nso', state: 'DEAD' }),
      observedAdapter({ name: 'c', suspended: 'refusing' }),
    ];
    const names = (state: string, type = '') => chosenAdapters(all, { state, type }).map(({ name }) => name);
    assert.deepEqual(names('problem'), ['b', 'c']);
    assert.deepEqual(names('suspended'), ['c']);
    assert.deepEqual(names('', 'nso'), ['b']);
    assert.deepEqual(names('nonsense'), ['core1', 'b', 'c']);
    assert.deepEqual(typesOf(all), ['nso', 'restconf']);
  });
});

describe('actionsOf an adapter', () => {
  const keys = (changes: Parameters<typeof observedAdapter>[0]) =>
    actionsOf(observedAdapter(changes)).map(({ key }) => key);

  it('offers the actions that its state and origin allow', () => {
    assert.deepEqual(keys({}), ['pause', 'block', 'restart', 'stop', 'delete']);
    assert.deepEqual(keys({ state: 'STOPPED' }), ['start', 'delete']);
    assert.deepEqual(keys({ suspended: 'paused' }), ['resume', 'block', 'restart', 'stop', 'delete']);
    const scheduled = { wanted: 'paused', from: 1, by: null, at: 0, reason: null, until: null } as const;
    assert.deepEqual(keys({ scheduled }), ['pause', 'block', 'unschedule', 'restart', 'stop', 'delete']);
    assert.deepEqual(keys({ state: 'DEAD' }), ['start', 'restart', 'stop', 'delete']);
    assert.deepEqual(keys({ state: 'STOPPED', origin: { kind: 'file', file: 'a.yaml' } }), ['start']);
  });

  it('describes the effect of an action, with the number of calls in flight', () => {
    const stop = actionsOf(observedAdapter({ name: 'a b', inFlight: 2 })).find(({ key }) => key === 'stop');
    assert.match(stop?.effect ?? '', /2 calls in flight finish first/);
    assert.deepEqual(stop?.request, { method: 'PUT', path: '/adapters/a%20b/stop' });
  });

  it('distinguishes a plain success from one with a warning', () => {
    assert.ok(isPlainSuccess('Successfully started core 1.0.', 'core 1.0'));
    assert.ok(isPlainSuccess('Successfully suspended core1: its calls wait.', 'core1'));
    const times = 'from 2026-12-01T02:00:00.000Z until 2026-12-01T03:00:00.000Z';
    const message = `Successfully scheduled a suspension of nso1.example.com: its calls will wait ${times}.`;
    assert.ok(isPlainSuccess(message, 'nso1.example.com'));
    assert.ok(!isPlainSuccess('Successfully started core1. The adapter is dead: no password.', 'core1'));
  });
});

describe('sample settings of an adapter', () => {
  const schema = {
    required: ['plugin'],
    else: { required: ['baseUrl'] },
    properties: {
      plugin: { type: 'string' },
      baseUrl: { type: 'string', description: 'Root of every path.' },
      auth: { oneOf: [{}, {}] },
      timeouts: { type: 'object' },
      forbidden: false,
    },
  };

  it('contains required and common keys, with a Vault reference for the secret', () => {
    assert.deepEqual(sampleSettings(schema, 'core 3'), {
      baseUrl: 'https://orchestrator.example:8443',
      auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core-3#password' },
    });
    assert.deepEqual(
      sampleSettings(
        { required: ['a', 'b'], properties: { a: { type: 'integer', default: 5 }, b: { type: 'array' } } },
        '',
      ),
      {
        a: 5,
        b: [],
      },
    );
  });

  it('reports why a text is not a JSON object', () => {
    assert.equal(faultOfObject('{"a": 1}'), undefined);
    assert.match(faultOfObject('[]') ?? '', /must be a JSON object/);
    assert.match(faultOfObject('{') ?? '', /^Invalid JSON: /);
  });
});

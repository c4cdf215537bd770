import assert from 'node:assert/strict';
import { envelopeEndpoint, envelopeOf, forwardingEndpoint, requestOf } from './endpoint.js';
import { dueTimes, quantilesOf } from './open-loop.js';
import { type Call, PROFILES, REPLIES } from './profiles.js';
import { openedOf } from './upstream.js';

const ACTION: Call = { operation: 'action', path: '/busy' };
const QUERY: Call = { operation: 'query', path: '/large' };

describe('benchmark requests', () => {
  it('have the size of real client requests: an action of 405 bytes', () => {
    assert.equal(envelopeOf(ACTION).length, 405);
    assert.deepEqual(Object.keys(JSON.parse(envelopeOf(ACTION)) as object), ['params', 'body']);
  });

  it('address a translator by its own paths and expect its result format', () => {
    const endpoint = envelopeEndpoint('/orchestrator_manager', 'bench');
    assert.equal(endpoint.target(ACTION), '/orchestrator_manager/restAction/bench');
    assert.deepEqual(endpoint.expect(ACTION), { status: 200, body: '[{"result":"503"}]' });
    assert.equal(endpoint.expect(QUERY).body.length, 200 * 1024);
  });

  it('address a forwarder by the upstream path and expect the upstream reply', () => {
    assert.match(requestOf(forwardingEndpoint, ACTION, 'T'), /^POST \/busy HTTP\/1\.1\r\n/);
    assert.equal(forwardingEndpoint.expect(ACTION).status, 503);
  });

  it('receive JSON replies of the sizes in the profiles', () => {
    assert.equal(REPLIES['/small']?.body.length, 1024);
    for (const { calls } of PROFILES)
      for (const { path } of calls) assert.doesNotThrow(() => JSON.parse(REPLIES[path]?.body ?? ''));
  });

  it('are scheduled at fixed times', () => {
    assert.deepEqual([...dueTimes(500, 8)], [0, 2, 4, 6]);
    assert.deepEqual(quantilesOf(Float64Array.from({ length: 1000 }, (_, at) => 1000 - at)), {
      p50: 500,
      p90: 900,
      p99: 990,
      p999: 999,
    });
  });

  it('are counted by the connections of the upstream', () => {
    assert.equal(openedOf('Active connections: 2 \nserver accepts handled requests\n 10 10 20 \n'), 10);
    assert.equal(openedOf('{"opened":7,"hanging":0}'), 7);
  });
});

import assert from 'node:assert/strict';
import {
  createTrafficRecorder,
  MAX_RECORDED_ADAPTERS,
} from '../../../src/features/traffic/traffic-recorder.js';
import { ALL_ADAPTERS } from '../../../src/features/traffic/traffic.js';
import { bucketOf } from '../../../src/telemetry/metrics/latency-buckets.js';
import { column } from '../../support/columns.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

/** Opens a recorder, which notes calls of ada to core1 with status 200 and 20 ms unless the test says otherwise. */
function openRecorder() {
  const clock = createFakeScheduler(START);
  const recorder = createTrafficRecorder(clock);
  const note = (more: Partial<Parameters<typeof recorder.note>[0]> = {}) => {
    recorder.note({ adapter: 'core1', status: 200, ms: 20, caller: 'ada', ...more });
  };
  return { clock, recorder, note };
}

describe('createTrafficRecorder', () => {
  it('counts calls by status, duration and caller, per adapter and in total', () => {
    const { recorder, note } = openRecorder();
    note();
    note({ status: 404 });
    note({ adapter: 'edge1', status: 502, ms: 900, caller: 'bob' });
    const [minute] = recorder.minutes();
    const [all, core1] = [minute?.counts.get(ALL_ADAPTERS), minute?.counts.get('core1')];
    assert.equal(minute?.at, START);
    assert.deepEqual([all?.calls, all?.errors, all?.clientErrors], [3, 1, 1]);
    assert.deepEqual(core1?.durations, `${bucketOf(20)}:2`);
    assert.deepEqual(core1.callers, new Map([['ada', { calls: 2, errors: 0, clientErrors: 1 }]]));
  });

  it('counts a WebSocket without its duration', () => {
    const { recorder, note } = openRecorder();
    note({ status: 101, ms: -1 });
    const counts = recorder.minutes()[0]?.counts.get('core1');
    assert.deepEqual([counts?.calls, counts?.durations], [1, '']);
  });

  it('hands over a minute when it is over, and the current one at the end', async () => {
    const { clock, recorder, note } = openRecorder();
    note();
    assert.deepEqual(recorder.take(), []);
    await clock.pass(MINUTE_MS);
    note();
    assert.deepEqual(column(recorder.take(), 'at'), [START]);
    assert.deepEqual(column(recorder.take(true), 'at'), [START + MINUTE_MS]);
    assert.deepEqual(recorder.minutes(), []);
  });

  it('records the state of queue and breaker, but no adapter that is idle', () => {
    const { recorder } = openRecorder();
    const idle = { adapter: 'idle', inFlight: 0, waiting: 0, breaker: 'closed' } as const;
    recorder.sample([idle], 5_000);
    assert.deepEqual(recorder.minutes(), []);
    recorder.sample([idle, { adapter: 'core1', inFlight: 4, waiting: 1, breaker: 'open' }], 5_000);
    recorder.sample([idle, { adapter: 'core1', inFlight: 2, waiting: 3, breaker: 'half-open' }], 5_000);
    const counts = recorder.minutes()[0]?.counts;
    const core1 = counts?.get('core1');
    assert.deepEqual([...(counts?.keys() ?? [])], [ALL_ADAPTERS, 'core1']);
    assert.deepEqual([core1?.maxInFlight, core1?.maxWaiting], [4, 3]);
    assert.deepEqual([core1?.openSeconds, core1?.halfOpenSeconds], [5, 5]);
  });

  it('bounds the adapters and the callers of a minute, and counts the others in total', () => {
    const { recorder, note } = openRecorder();
    for (let index = 0; index < MAX_RECORDED_ADAPTERS + 10; index += 1)
      note({ adapter: `a${index}`, caller: `c${index}` });
    const counts = recorder.minutes()[0]?.counts;
    const all = counts?.get(ALL_ADAPTERS);
    assert.equal(counts?.size, MAX_RECORDED_ADAPTERS + 1);
    assert.deepEqual([all?.calls, all?.callers.size], [MAX_RECORDED_ADAPTERS + 10, 51]);
    assert.equal(all?.callers.get('')?.calls, MAX_RECORDED_ADAPTERS + 10 - 50);
  });
});

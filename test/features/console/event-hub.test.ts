import assert from 'node:assert/strict';
import { createEventHub } from '../../../src/features/console/event-hub.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function openHub() {
  const clock = createFakeScheduler();
  let samples = 0;
  const hub = createEventHub({ scheduler: clock, traffic: () => ({ perMinute: (samples += 1) }) });
  const listen = (signal = new AbortController().signal) => hub.listen(signal)[Symbol.asyncIterator]();
  return { clock, hub, listen, samples: () => samples };
}

const change = (...topics: readonly string[]) => `event: change\ndata: ${JSON.stringify({ topics })}\n\n`;

describe('createEventHub', () => {
  it('publishes the first change at once and batches the following changes', async () => {
    const { clock, hub, listen } = openHub();
    const stream = listen();
    assert.equal((await stream.next()).value, 'retry: 3000\n\n');
    hub.publish(['adapters']);
    await clock.pass(0);
    assert.equal((await stream.next()).value, change('adapters'));
    hub.publish(['forms']);
    hub.publish(['forms', 'secrets']);
    const next = stream.next();
    await clock.pass(499);
    hub.publish(['tasks']);
    await clock.pass(1);
    assert.equal((await next).value, change('forms', 'secrets', 'tasks'));
    hub.close();
  });

  it('publishes a change after the clock was set back (bug: delayed by the size of the step)', async () => {
    const { clock, hub, listen } = openHub();
    const stream = listen();
    await stream.next();
    hub.publish(['adapters']);
    await clock.pass(0);
    await stream.next();
    clock.set(-3_600_000);
    hub.publish(['forms']);
    assert.equal(clock.next(), 500);
    await clock.pass(500);
    assert.equal((await stream.next()).value, change('forms'));
    hub.close();
  });

  it('samples the traffic only while a listener is connected, and sends keep-alive comments', async () => {
    const { clock, listen, samples, hub } = openHub();
    await clock.pass(10_000);
    assert.equal(samples(), 0);
    const stream = listen();
    await stream.next();
    await clock.pass(15_000);
    // A subscriber that did not read gets only the latest event.
    assert.equal((await stream.next()).value, 'event: traffic\ndata: {"perMinute":7}\n\n:\n\n');
    await stream.return?.();
    await clock.pass(10_000);
    assert.equal(samples(), 7);
    assert.equal(clock.next(), undefined);
    hub.close();
  });

  it('ends a stream on abort and on close', async () => {
    const { clock, hub, listen } = openHub();
    const leaving = new AbortController();
    const left = listen(leaving.signal);
    const closed = listen();
    for (const stream of [left, closed]) await stream.next();
    leaving.abort();
    assert.equal((await left.next()).done, true);
    hub.close();
    assert.equal((await closed.next()).done, true);
    const late = listen();
    await late.next();
    assert.equal((await late.next()).done, true);
    assert.equal(clock.next(), undefined);
  });

  it('accepts 100 listeners and frees the slot of a listener that aborts before its first read', () => {
    const { listen, hub } = openHub();
    const all = Array.from({ length: 100 }, () => new AbortController());
    for (const { signal } of all) listen(signal);
    assert.throws(() => listen(), { code: 'too_many_listeners' });
    all[50]?.abort();
    assert.doesNotThrow(() => listen());
    hub.close();
  });
});

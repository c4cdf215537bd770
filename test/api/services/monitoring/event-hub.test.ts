import assert from 'node:assert/strict';
import { createEventHub } from '../../../../src/api/services/monitoring/event-hub.js';
import { createFakeScheduler } from '../../../support/fake-scheduler.js';

const FOREVER = 8.64e15;

function openDesk() {
  const clock = createFakeScheduler();
  let looks = 0;
  const desk = createEventHub({
    scheduler: clock,
    traffic: () => {
      looks += 1;
      return { perMinute: looks };
    },
  });
  const listen = (until = FOREVER, signal = new AbortController().signal) =>
    desk.listen({ until, signal })[Symbol.asyncIterator]();
  return { clock, desk, listen, looks: () => looks };
}

const change = (...topics: readonly string[]) => `event: change\ndata: ${JSON.stringify({ topics })}\n\n`;

describe('the desk of events', () => {
  it('tells what changed at once, and what changes then together', async () => {
    const { clock, desk, listen } = openDesk();
    const ear = listen();
    assert.equal((await ear.next()).value, 'retry: 3000\n\n');
    desk.publish(['adapters']);
    await clock.pass(0);
    assert.equal((await ear.next()).value, change('adapters'));
    desk.publish(['forms']);
    desk.publish(['forms', 'secrets']);
    const next = ear.next();
    await clock.pass(499);
    desk.publish(['tasks']);
    await clock.pass(1);
    assert.equal((await next).value, change('forms', 'secrets', 'tasks'));
    desk.close();
  });

  it('tells what changed after the clock was set back (bug: not for as long)', async () => {
    const { clock, desk, listen } = openDesk();
    const ear = listen();
    await ear.next();
    desk.publish(['adapters']);
    await clock.pass(0);
    await ear.next();
    clock.set(-3_600_000);
    desk.publish(['forms']);
    assert.equal(clock.next(), 500);
    await clock.pass(500);
    assert.equal((await ear.next()).value, change('forms'));
    desk.close();
  });

  it('looks at the traffic while somebody listens, and gives signs of life', async () => {
    const { clock, listen, looks, desk } = openDesk();
    await clock.pass(10_000);
    assert.equal(looks(), 0);
    const ear = listen();
    await ear.next();
    await clock.pass(15_000);
    // A subscriber that did not read gets only the latest event.
    assert.equal((await ear.next()).value, 'event: traffic\ndata: {"perMinute":7}\n\n:\n\n');
    await ear.return?.();
    await clock.pass(10_000);
    assert.equal(looks(), 7);
    assert.equal(clock.next(), undefined);
    desk.close();
  });

  it('ends when the time is over, when the listener leaves, and when it closes', async () => {
    const { clock, desk, listen } = openDesk();
    const expiring = listen(clock.now() + 60_000);
    const leaving = new AbortController();
    const left = listen(FOREVER, leaving.signal);
    const closed = listen();
    for (const ear of [expiring, left, closed]) await ear.next();
    leaving.abort();
    assert.equal((await left.next()).done, true);
    const end = (async () => {
      while (!(await expiring.next()).done);
      return clock.now();
    })();
    const began = clock.now();
    await clock.pass(70_000);
    assert.equal((await end) - began, 60_000);
    desk.close();
    assert.equal((await closed.next()).done, true);
    const late = listen();
    await late.next();
    assert.equal((await late.next()).done, true);
    assert.equal(clock.next(), undefined);
  });

  it('has a hundred places, also for those who left before they read a word', () => {
    const { listen, desk } = openDesk();
    const all = Array.from({ length: 100 }, () => new AbortController());
    for (const { signal } of all) listen(FOREVER, signal);
    assert.throws(() => listen(), { code: 'too_many_listeners' });
    all[50]?.abort();
    assert.doesNotThrow(() => listen());
    desk.close();
  });
});

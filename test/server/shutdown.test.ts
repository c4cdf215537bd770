import assert from 'node:assert/strict';
import { createShutdown } from '../../src/server/shutdown.js';
import { columns } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

function open(lameDuckSeconds: number) {
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  const events: string[] = [];
  const skip = new AbortController();
  const settings = { lameDuckSeconds, drainSeconds: 30 };
  const shutdown = createShutdown({ settings, scheduler, log });
  const begin = async (): Promise<void> => {
    const request = { signal: 'SIGTERM', skip: skip.signal, onDrain: () => events.push('drain') };
    await shutdown.begin(request, () => events.push('end of keep-alive'));
    events.push('begun');
  };
  return { scheduler, lines, events, skip, shutdown, begin };
}

describe('the shutdown of a server', () => {
  it('waits for the lame duck time, and is stopping from its start', async () => {
    const { scheduler, events, shutdown, begin } = open(10);
    assert.equal(shutdown.isStopping(), false);
    const begun = begin();
    assert.equal(shutdown.isStopping(), true);
    await scheduler.pass(9_999);
    assert.deepEqual(events, ['end of keep-alive']);
    await scheduler.pass(1);
    await begun;
    assert.deepEqual(events, ['end of keep-alive', 'drain', 'begun']);
  });

  it('ends the lame duck time when a second signal arrives, also before it begins', async () => {
    const { scheduler, skip, begin } = open(10);
    const begun = begin();
    await scheduler.pass(5_000);
    skip.abort();
    await begun;
    assert.equal(scheduler.next(), undefined);
    await begin();
  });

  it('keeps connections and waits for nothing without a lame duck time', async () => {
    const { events, begin } = open(0);
    await begin();
    assert.deepEqual(events, ['drain', 'begun']);
  });

  it('logs the signal, and how long the lame duck time and the drain took', async () => {
    const { scheduler, lines, shutdown, begin } = open(10);
    const begun = begin();
    await scheduler.pass(10_000);
    await begun;
    await scheduler.pass(1_500);
    await shutdown.close();
    assert.deepEqual(columns(lines, 'message', 'fields'), [
      ['stopping', { signal: 'SIGTERM', lameDuckSeconds: 10, drainSeconds: 30 }],
      ['stopped', { signal: 'SIGTERM', lameDuckMs: 10_000, drainMs: 1_500 }],
    ]);
  });

  it('logs nothing for a server that closes without a signal', async () => {
    const { lines, shutdown } = open(10);
    await shutdown.close();
    assert.deepEqual(lines, []);
  });
});

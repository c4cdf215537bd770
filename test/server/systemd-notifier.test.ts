import assert from 'node:assert/strict';
import { createSystemdNotifier, watchdogIntervalMs } from '../../src/server/systemd-notifier.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('createSystemdNotifier', () => {
  it('are not sent without NOTIFY_SOCKET', async () => {
    const failures: string[] = [];
    const notifier = createSystemdNotifier({
      env: { PATH: '' },
      pid: 1,
      onFailure: (reason) => failures.push(reason),
    });
    notifier.ready('serves');
    notifier.stopping();
    await notifier.close();
    assert.deepEqual(failures, []);
  });

  it('report once that systemd-notify is missing', async () => {
    const failures: string[] = [];
    const env = { PATH: temporaryFolder().path, NOTIFY_SOCKET: '/nowhere' };
    const notifier = createSystemdNotifier({ env, pid: 1, onFailure: (reason) => failures.push(reason) });
    notifier.ready('serves');
    notifier.reloading();
    await notifier.close();
    assert.deepEqual(failures, ['systemd-notify failed (ENOENT)']);
  });
});

describe('watchdogIntervalMs', () => {
  for (const [env, expected] of [
    [{ WATCHDOG_USEC: '90000000' }, 90_000],
    [{ WATCHDOG_USEC: '90000000', WATCHDOG_PID: '7' }, 90_000],
    [{ WATCHDOG_USEC: '90000000', WATCHDOG_PID: '8' }, undefined],
    [{ WATCHDOG_USEC: '0' }, undefined],
    [{ WATCHDOG_USEC: 'soon' }, undefined],
    [{}, undefined],
  ] as const)
    it(`returns ${String(expected)} for ${JSON.stringify(env)}`, () => {
      assert.equal(watchdogIntervalMs(env, 7), expected);
    });
});

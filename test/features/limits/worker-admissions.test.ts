import assert from 'node:assert/strict';
import { createCallerLimits } from '../../../src/features/limits/caller-limits.js';
import {
  createRemoteAdmission,
  createWorkerAdmissions,
} from '../../../src/features/limits/worker-admissions.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { limitedCall, limitRule } from '../../support/limits.js';

describe('calls of workers', () => {
  const clock = createFakeScheduler();
  const settings = { few: limitRule({ concurrent: 2, adapters: ['core1'] }) };
  const open = () => {
    const limits = createCallerLimits({ clock, settings: () => settings });
    const messages: string[] = [];
    const workers = [0, 1].map(() => {
      const main = createWorkerAdmissions(limits.admit);
      const admit = createRemoteAdmission(() => settings, {
        ask: (name, call) => {
          messages.push(name);
          return main.admitCall(JSON.parse(JSON.stringify(call)) as typeof call);
        },
        notify: (name, ids) => {
          messages.push(name);
          main.endCalls(ids);
        },
      });
      return { admit, main };
    });
    return { workers, messages };
  };

  it('count together', async () => {
    const { workers } = open();
    const [one, two] = workers;
    const first = await one?.admit(limitedCall());
    assert.equal(first?.refusal, undefined);
    assert.equal((await two?.admit(limitedCall()))?.refusal, undefined);
    assert.equal((await two?.admit(limitedCall()))?.refusal?.limit, 'few');
    first?.end();
    assert.equal((await two?.admit(limitedCall()))?.refusal, undefined);
  });

  it('send no message for calls without a limit', async () => {
    const { workers, messages } = open();
    assert.equal(await workers[0]?.admit(limitedCall('ada', { adapter: 'core2' })), undefined);
    assert.deepEqual(messages, []);
  });

  it('end with their worker', async () => {
    const { workers } = open();
    const [one, two] = workers;
    await one?.admit(limitedCall());
    await one?.admit(limitedCall());
    assert.ok((await two?.admit(limitedCall()))?.refusal);
    one?.main.close();
    assert.equal((await two?.admit(limitedCall()))?.refusal, undefined);
  });

  it('are admitted if the main process does not answer', async () => {
    const admit = createRemoteAdmission(() => settings, {
      ask: () => Promise.reject(new Error('the other process has ended')),
      notify: () => undefined,
    });
    assert.equal(await admit(limitedCall()), undefined);
  });
});

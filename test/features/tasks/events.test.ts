import assert from 'node:assert/strict';
import { openTaskEvents, type OpenTaskEvents } from '../../../src/features/tasks/events.js';
import { ALONE } from '../../../src/server/workers/siblings.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { task } from '../../support/task.js';

interface Seen {
  readonly revision: number;
  readonly status: string;
  readonly lastUpdatedByName: string;
  readonly people: readonly string[];
  readonly tokenEnds: string | null;
}

describe('the events of a task', () => {
  let scheduler: FakeScheduler;
  let events: OpenTaskEvents;
  beforeEach(() => {
    scheduler = createFakeScheduler();
    events = openTaskEvents({ scheduler, siblings: ALONE });
  });
  afterEach(() => {
    events.close();
  });

  const open = (name: string, number = 1, lifetimeSeconds = 3600) => {
    const leaving = new AbortController();
    const expiresAt = scheduler.now() / 1000 + lifetimeSeconds;
    const principal = { subject: name, issuer: 'https://idp.test', roles: ['engineering'], expiresAt };
    const texts = events.listen(task(number), { principal, signal: leaving.signal });
    const iterator = texts[Symbol.asyncIterator]();
    return {
      leave: leaving.abort.bind(leaving),
      next: async (): Promise<Seen> => {
        const { value } = (await iterator.next()) as { value: string };
        return JSON.parse(/data: (.*)/.exec(value)?.[1] ?? '') as Seen;
      },
      nextText: async () => (await iterator.next()) as { value?: string; done?: boolean },
    };
  };

  it('begin with its state, and name the others who have it open until they leave', async () => {
    const ada = open('ada');
    assert.deepEqual((await ada.next()).people, []);
    const bob = open('bob');
    assert.deepEqual((await ada.next()).people, ['bob']);
    assert.deepEqual((await bob.next()).people, ['ada']);
    bob.leave();
    assert.deepEqual((await ada.next()).people, []);
    assert.equal((await bob.nextText()).done, true);
  });

  it('name a person with two pages once, and nobody of another task', async () => {
    const ada = open('ada');
    open('bob');
    open('bob');
    open('carol', 2);
    assert.deepEqual((await ada.next()).people, ['bob']);
  });

  it('tell about a saved draft and about a decision', async () => {
    const ada = open('ada');
    await ada.next();
    events.publish(task(1, { revision: 2, lastUpdatedByName: 'bob' }));
    const { revision, lastUpdatedByName } = await ada.next();
    assert.deepEqual([revision, lastUpdatedByName], [2, 'bob']);
    events.publish(task(1, { revision: 3, status: 'approved' }));
    assert.equal((await ada.next()).status, 'approved');
  });

  it('keep only the newest state for a slow listener', async () => {
    const ada = open('ada');
    for (let revision = 2; revision < 100; revision += 1) events.publish(task(1, { revision }));
    const { value = '' } = await ada.nextText();
    assert.match(value, /^retry: 3000\n\nevent: task\ndata: .*"revision":99/);
    assert.equal(value.match(/event: task/g)?.length, 1);
  });

  it('keep the connection alive, and end with the server', async () => {
    const ada = open('ada');
    await ada.next();
    await scheduler.pass(15_000);
    assert.equal((await ada.nextText()).value, ':\n\n');
    const carol = open('carol');
    events.close();
    assert.equal((await carol.nextText()).done, true);
  });

  it('say when the token ends, and nothing about a caller who sent a password with the request', async () => {
    const inAnHour = new Date(scheduler.now() + 3_600_000).toISOString();
    assert.equal((await open('ada').next()).tokenEnds, inAnHour);
    const withPassword = open('bob', 2, 0);
    assert.equal((await withPassword.next()).tokenEnds, null);
    await scheduler.pass(15_000);
    assert.equal((await withPassword.nextText()).value, ':\n\n');
  });

  it('have at most 20 listeners of one caller and 500 of all', () => {
    const first = Array.from({ length: 20 }, () => open('ada'));
    assert.throws(() => open('ada'), { code: 'too_many_listeners' });
    first[0]?.leave();
    open('ada');
    for (let at = 0; at < 480; at += 1) open(`person ${at}`);
    assert.throws(() => open('another'), { code: 'too_many_listeners' });
  });
});

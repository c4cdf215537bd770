import assert from 'node:assert/strict';
import { type Task, taskHead, type TaskQuery, type TaskStore } from '../../src/core/task.js';
import type { Store } from '../../src/storage/store.js';
import { formId } from '../support/form.js';
import { NAUGHTY_STRINGS, SQL_INJECTIONS } from '../support/naughty-strings.js';
import { task } from '../support/task.js';

const ALL: TaskQuery = { skip: 0, limit: 100, order: 1 };

/**
 * Defines the tests of tasks for every store. `open` opens the same store repeatedly. The store is empty at
 * first.
 */
export function taskStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let tasks: TaskStore;
  /** The first id of the test. Ids are never reused, so each test has a range of its own. */
  let first = 0;

  const numbers = (): Promise<readonly number[]> => numbersOf(ALL);
  const numbersOf = async (query: TaskQuery): Promise<readonly number[]> =>
    (await tasks.list(query)).results.map(({ id }) => parseInt(id, 16) - first);
  const add = async (number: number, changes: Partial<Task> = {}): Promise<void> =>
    tasks.open(task(first + number, changes), 1_000_000);
  const id = (number: number): string => formId(first + number);

  before(async () => {
    store = await open();
    ({ tasks } = store);
  });
  after(() => store.close());

  beforeEach(async () => {
    first += 10_000;
    for (const { id: kept } of (await tasks.list({ ...ALL, limit: 999_999_999_999_999 })).results)
      await tasks.update(kept, (one) => ({ ...one, status: 'approved' }));
    // A store with a limit of one task keeps the open task.
    await tasks.open(task(first + 1, { title: 'the first' }), 1);
    assert.deepEqual(await numbers(), [1]);
  });

  it('returns a task unchanged', async () => {
    assert.deepEqual(await tasks.find(id(1)), task(first + 1, { title: 'the first' }));
    for (const other of [id(2), 'no id', 'no\0thing', ...SQL_INJECTIONS])
      assert.equal(await tasks.find(other), undefined);
  });

  it('returns texts byte for byte, whatever characters they contain', async () => {
    const odd = task(first + 2, { title: 'a\0b\ud800', createdBy: 'c\0d', formData: NAUGHTY_STRINGS });
    await tasks.open(odd, 9);
    assert.deepEqual(await tasks.find(odd.id), odd);
    const { results } = await tasks.list({ ...ALL, skip: 1 });
    assert.deepEqual(results, [taskHead(odd)]);
  });

  it('lists tasks by filter, in pages and in both orders', async () => {
    await add(2, { view: 'ShowJsonForm' });
    await add(3, { status: 'rejected' });
    await add(4, { view: 'ShowJsonForm', status: 'approved' });
    assert.deepEqual(await numbers(), [1, 2, 3, 4]);
    assert.deepEqual(await numbersOf({ skip: 1, limit: 2, order: -1 }), [3, 2]);
    assert.deepEqual(await numbersOf({ ...ALL, status: 'open' }), [1, 2]);
    assert.deepEqual(await numbersOf({ ...ALL, view: 'ShowJsonForm' }), [2, 4]);
    const none = await tasks.list({ ...ALL, view: 'ShowJsonForm', status: 'open', limit: 0 });
    assert.deepEqual(none, { results: [], total: 1 });
  });

  it('increments the revision of a task and lists its current state', async () => {
    const drafted = await tasks.update(id(1), (one) => ({ ...one, title: 'again', revision: 77 }));
    assert.deepEqual(drafted, task(first + 1, { title: 'again', revision: 2 }));
    assert.deepEqual(await tasks.find(id(1)), drafted);
    assert.deepEqual((await tasks.list(ALL)).results, [taskHead(drafted)]);
    assert.equal(await tasks.update(id(2), (one) => one), undefined);
    assert.equal(await tasks.update('no\0thing', (one) => one), undefined);
  });

  it('leaves a task unchanged when the change throws', async () => {
    const failure = new RangeError('no');
    const refuse = (): never => {
      throw failure;
    };
    await assert.rejects(tasks.update(id(1), refuse), failure);
    assert.equal((await tasks.find(id(1)))?.revision, 1);
  });

  it('F5: of 1,000 concurrent outcomes keeps exactly one', async () => {
    const finish =
      (number: number) =>
      (one: Task): Task => {
        if (one.status !== 'open') throw new RangeError('finished');
        return { ...one, status: number % 2 === 0 ? 'approved' : 'rejected', title: String(number) };
      };
    const ended = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, number) => tasks.update(id(1), finish(number))),
    );
    const won = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(won.length, 1);
    assert.deepEqual(await tasks.find(id(1)), won[0]);
    assert.equal(won[0]?.revision, 2);
  });

  it('loses none of several concurrent changes', async () => {
    const append = (one: Task): Task => ({ ...one, title: `${one.title}x` });
    await Promise.all(Array.from({ length: 50 }, () => tasks.update(id(1), append)));
    const kept = await tasks.find(id(1));
    assert.deepEqual([kept?.title, kept?.revision], [`the first${'x'.repeat(50)}`, 51]);
  });

  it('removes the oldest finished tasks to stay below the maximum, and never an open one', async () => {
    await add(2, { status: 'approved' });
    await add(3, { status: 'rejected' });
    await tasks.open(task(first + 4), 3);
    assert.deepEqual(await numbers(), [1, 3, 4]);
    await tasks.open(task(first + 5), 3);
    assert.deepEqual(await numbers(), [1, 4, 5]);
    await assert.rejects(tasks.open(task(first + 6), 3), { code: 'too_many_tasks' });
    assert.deepEqual(await numbers(), [1, 4, 5]);
  });

  it('keeps the most recently finished tasks, however long they were open', async () => {
    for (const number of [2, 3]) await add(number);
    for (const [number, lastUpdated] of [
      [3, '2026-02-01T00:00:00.000Z'],
      [2, '2026-02-02T00:00:00.000Z'],
    ] as const)
      await tasks.update(id(number), (one) => ({ ...one, status: 'approved', lastUpdated }));
    await tasks.open(task(first + 4), 3);
    assert.deepEqual(await numbers(), [1, 2, 4]);
  });

  it('stays below the maximum when many tasks are opened concurrently', async () => {
    const opened = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => tasks.open(task(first + 2 + at), 5)),
    );
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 4);
    assert.equal((await tasks.list(ALL)).total, 5);
  });

  it('keeps tasks over a restart', async () => {
    await store.close();
    store = await open();
    ({ tasks } = store);
    assert.deepEqual(await numbers(), [1]);
  });
}

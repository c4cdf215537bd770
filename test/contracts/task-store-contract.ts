import assert from 'node:assert/strict';
import type { Store } from '../../src/features/store.js';
import {
  type Task,
  taskHead,
  type TaskQuery,
  type TaskQuotas,
  type TaskStore,
  callerReaderKeys,
  taskPersonOf,
} from '../../src/features/tasks/task.js';
import { formId } from '../support/form.js';
import { NAUGHTY_STRINGS, SQL_INJECTIONS } from '../support/naughty-strings.js';
import { task } from '../support/task.js';

/** Returns quotas with wide limits. */
function quotasOf(changes: Partial<TaskQuotas> = {}): TaskQuotas {
  return { maxTasks: 1_000_000, maxOpenPerSubject: 1_000_000, maxTotalBytes: 2 ** 40, ...changes };
}

const OLDEST = { by: 'created', direction: 1 } as const;
const ALL: TaskQuery = { skip: 0, limit: 100, order: OLDEST };

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
    (await tasks.list(query)).results.map(({ id }) => parseInt(id, 16) - first).filter((one) => one > 0);
  const add = async (number: number, changes: Partial<Task> = {}, quotas = quotasOf()): Promise<void> =>
    tasks.open(task(first + number, changes), quotas);
  const id = (number: number): string => formId(first + number);
  const update = (number: number, change: (one: Task) => Task, quotas = quotasOf()) =>
    tasks.update(id(number), change, quotas);
  const finish = (number: number, quotas = quotasOf(), changes: Partial<Task> = {}) =>
    update(number, (one) => ({ ...one, status: 'approved', ...changes }), quotas);
  const dueOn = (day: number): string => `2026-05-0${day}T12:00:00.000Z`;

  before(async () => {
    store = await open();
    ({ tasks } = store);
  });
  after(() => store.close());

  beforeEach(async () => {
    first += 10_000;
    for (const { id: kept } of (await tasks.list({ ...ALL, limit: 999_999_999_999_999 })).results)
      await tasks.update(
        kept,
        (one) => ({ ...one, status: 'approved', createdBy: 'zed', lastUpdated: '2000-01-01T00:00:00.000Z' }),
        quotasOf({ maxTasks: 1 }),
      );
    // One finished task of an earlier test remains. It is older than all tasks of this test.
    await add(1, { title: 'the first' });
    assert.deepEqual(await numbers(), [1]);
  });

  it('returns a task unchanged', async () => {
    assert.deepEqual(await tasks.find(id(1)), task(first + 1, { title: 'the first' }));
    for (const other of [id(2), 'no id', 'no\0thing', ...SQL_INJECTIONS])
      assert.equal(await tasks.find(other), undefined);
  });

  it('returns the head of a task', async () => {
    assert.deepEqual(await tasks.findHead(id(1)), taskHead(task(first + 1, { title: 'the first' })));
    for (const other of [id(2), 'no id', ...SQL_INJECTIONS])
      assert.equal(await tasks.findHead(other), undefined);
  });

  it('returns texts byte for byte, whatever characters they contain', async () => {
    const odd = task(first + 2, { title: 'a\0b\ud800', createdBy: 'c\0d', formData: NAUGHTY_STRINGS });
    await tasks.open(odd, quotasOf());
    assert.deepEqual(await tasks.find(odd.id), odd);
    const { results } = await tasks.list(ALL);
    assert.deepEqual(results.at(-1), taskHead(odd));
  });

  it('lists tasks by filter, in pages and in both orders', async () => {
    await add(2, { view: 'ShowJsonForm' });
    await add(3, { status: 'rejected' });
    await add(4, { view: 'ShowJsonForm', status: 'approved' });
    assert.deepEqual(await numbers(), [1, 2, 3, 4]);
    assert.deepEqual(await numbersOf({ skip: 1, limit: 2, order: { by: 'created', direction: -1 } }), [3, 2]);
    assert.deepEqual(await numbersOf({ ...ALL, status: 'open' }), [1, 2]);
    assert.deepEqual(await numbersOf({ ...ALL, view: 'ShowJsonForm' }), [2, 4]);
    const none = await tasks.list({ ...ALL, view: 'ShowJsonForm', status: 'open', limit: 0 });
    assert.deepEqual(none, { results: [], total: 1 });
  });

  it('increments the revision of a task and lists its current state', async () => {
    const drafted = await update(1, (one) => ({ ...one, title: 'again', revision: 77 }));
    assert.deepEqual(drafted, task(first + 1, { title: 'again', revision: 2 }));
    assert.deepEqual(await tasks.find(id(1)), drafted);
    assert.deepEqual((await tasks.list(ALL)).results.at(-1), taskHead(drafted));
    assert.equal(await update(2, (one) => one), undefined);
    assert.equal(await tasks.update('no\0thing', (one) => one, quotasOf()), undefined);
  });

  it('leaves a task unchanged when the change throws', async () => {
    const failure = new RangeError('no');
    const refuse = (): never => {
      throw failure;
    };
    await assert.rejects(update(1, refuse), failure);
    assert.equal((await tasks.find(id(1)))?.revision, 1);
  });

  it('F5: of 1,000 concurrent outcomes keeps exactly one', async () => {
    const end = (number: number) =>
      update(1, (one) => {
        if (one.status !== 'open') throw new RangeError('finished');
        return { ...one, status: number % 2 === 0 ? 'approved' : 'rejected', title: String(number) };
      });
    const ended = await Promise.allSettled(Array.from({ length: 1000 }, (_, number) => end(number)));
    const won = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(won.length, 1);
    assert.deepEqual(await tasks.find(id(1)), won[0]);
    assert.equal(won[0]?.revision, 2);
  });

  it('loses none of several concurrent changes', async () => {
    const append = (one: Task): Task => ({ ...one, title: `${one.title}x` });
    await Promise.all(Array.from({ length: 50 }, () => update(1, append)));
    const kept = await tasks.find(id(1));
    assert.deepEqual([kept?.title, kept?.revision], [`the first${'x'.repeat(50)}`, 51]);
  });

  it('finding F7: never removes an outcome for an open task', async () => {
    await finish(1);
    const quotas = quotasOf({ maxTasks: 2, maxOpenPerSubject: 1 });
    await add(2, {}, quotas);
    await assert.rejects(add(3, {}, quotas), { code: 'too_many_tasks' });
    assert.deepEqual(await numbers(), [1, 2]);
  });

  it('ends the expired proposals of a requester who opens another', async () => {
    await finish(1);
    const [due, proposal] = ['2026-01-03T00:00:00.000Z', { key: 'k', usedAt: null }];
    await add(2, { due, proposal });
    await add(3, { due, proposal, createdBy: 'eve' });
    await add(4, { due });
    const later = { created: '2026-01-04T00:00:00.000Z', due: '2026-01-05T00:00:00.000Z', proposal };
    await tasks.open(task(first + 5, later), quotasOf({ maxOpenPerSubject: 2 }));
    assert.deepEqual(await numbersOf({ ...ALL, status: 'open' }), [3, 4, 5]);
    const outcome = (await tasks.find(id(2)))?.outcome;
    assert.deepEqual([outcome?.status, outcome?.at], ['rejected', later.created]);
  });

  it('removes the tasks that were finished first, however long they were open', async () => {
    for (const number of [2, 3, 4]) await add(number);
    const quotas = quotasOf({ maxTasks: 3 });
    await finish(3, quotas, { lastUpdated: '2026-02-01T00:00:00.000Z' });
    await finish(2, quotas, { lastUpdated: '2026-02-02T00:00:00.000Z' });
    await finish(4, quotas, { lastUpdated: '2026-02-03T00:00:00.000Z' });
    assert.deepEqual(await numbers(), [1, 2, 4]);
  });

  it('finding F7: removes the outcomes of the requester with the most outcomes', async () => {
    await finish(1);
    for (const number of [2, 3, 4]) await add(number, { createdBy: 'eve' });
    const quotas = quotasOf({ maxTasks: 2 });
    for (const number of [2, 3, 4]) await finish(number, quotas);
    assert.deepEqual(await numbers(), [1, 4]);
  });

  it('finding F7: leaves half of the open tasks, and of their size, to other requesters', async () => {
    const quotas = quotasOf({ maxTasks: 4 });
    await add(2, {}, quotas);
    await assert.rejects(add(3, {}, quotas), {
      code: 'too_many_tasks',
      message: /More than 2 of the tasks that "ada" opened would be open \(forms.tasks.maxOpenPerSubject/,
    });
    const elsewhere = { createdByIssuer: 'https://other.test' };
    for (const number of [3, 4]) await add(number, elsewhere, quotas);
    await assert.rejects(add(5, { createdBy: 'eve' }, quotas), /forms.tasks.maxTasks/);
    assert.deepEqual(await numbers(), [1, 2, 3, 4]);
  });

  it('finding F7: bounds the size of open tasks, drafts included, and of finished tasks', async () => {
    const formData = 'x'.repeat(20_000);
    const quotas = quotasOf({ maxTotalBytes: 50_000 });
    await add(2, { formData, createdBy: 'bob' }, quotas);
    const large = { formData: 'x'.repeat(30_000) };
    await assert.rejects(add(3, large, quotas), /half of forms.tasks.maxTotalBytes/);
    const draft = { formData, by: 'ada', byIssuer: '', at: '' };
    await update(1, (one) => ({ ...one, draft }), quotas);
    const other = { formData, createdBy: 'eve' };
    await assert.rejects(add(3, other, quotas), /50000 bytes \(forms.tasks.maxTotalBytes/);
    const longer = { ...draft, formData: formData.repeat(2) };
    const lengthen = (one: Task): Task => ({ ...one, draft: longer });
    await assert.rejects(update(1, lengthen, quotas), { code: 'too_many_tasks' });
    for (const number of [1, 2]) await finish(number, quotas);
    await add(3, other, quotas);
    await finish(3, quotas);
    assert.equal((await numbers()).length, 2);
  });

  it('stays below the maximum when many tasks are opened concurrently', async () => {
    const opened = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => tasks.open(task(first + 2 + at), quotasOf({ maxTasks: 10 }))),
    );
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 4);
    assert.equal((await numbers()).length, 5);
  });

  it('finding F7: lists the tasks of a reader', async () => {
    const issuer = 'https://idp.test';
    await add(2, { roles: [] });
    await add(3, { roles: ['a%', 'core'], createdBy: 'bob' });
    await add(4, { roles: [], createdBy: 'bob', assignee: { subject: 'eve\0', issuer } });
    await add(5, { roles: [], createdBy: 'bob', assignee: { role: 'core' } });
    const listFor = (subject: string, ...roles: readonly string[]) => {
      const readers = callerReaderKeys({ subject, issuer, roles, expiresAt: 0 });
      return numbersOf({ ...ALL, ...(readers && { readers }) });
    };
    assert.deepEqual(await listFor('ada'), [1, 2]);
    assert.deepEqual(await listFor('eve\0'), [1, 4]);
    assert.deepEqual(await listFor('nobody', 'core'), [1, 3, 5]);
    assert.deepEqual(await listFor('nobody', ...Array.from({ length: 2000 }, (_, at) => `r${at}`)), [1]);
    assert.deepEqual(await listFor('bob', 'admin'), [1, 2, 3, 4, 5]);
  });

  it('lists tasks by deadline, and those without one last', async () => {
    for (const [at, day] of [3, 1, 2, 1].entries()) await add(at + 2, { due: dueOn(day) });
    await add(6, { due: dueOn(1), status: 'approved' });
    assert.deepEqual(await numbersOf({ ...ALL, order: { by: 'due', direction: 1 } }), [3, 5, 6, 4, 2, 1]);
    assert.deepEqual(await numbersOf({ ...ALL, order: { by: 'due', direction: -1 } }), [2, 4, 6, 5, 3, 1]);
    assert.deepEqual(await numbersOf({ ...ALL, dueBefore: dueOn(2) }), [3, 5, 6]);
    assert.deepEqual(await numbersOf({ ...ALL, dueFrom: dueOn(2) }), [2, 4]);
    assert.deepEqual(await numbersOf({ ...ALL, overdueAt: dueOn(2) }), [3, 5]);
  });

  it('lists own tasks first: assigned, answerable, other and finished tasks, on pages without overlap', async () => {
    const issuer = 'https://idp.test';
    const bobs = { createdBy: 'bob' };
    await add(2, { ...bobs, status: 'approved', lastUpdated: dueOn(1) });
    await add(3, { ...bobs, status: 'rejected', lastUpdated: dueOn(2), due: dueOn(1) });
    await add(4, { ...bobs, roles: [], assignee: { role: 'other' } });
    await add(5, { ...bobs, roles: ['core'] });
    await add(6, { ...bobs, roles: [], assignee: { role: 'core' } });
    await add(7, { ...bobs, roles: [], assignee: { subject: 'eve', issuer }, due: dueOn(2) });
    const elsewhere = { subject: 'eve', issuer: 'https://other.test' };
    await add(8, { ...bobs, roles: [], assignee: elsewhere, due: dueOn(1) });
    await add(9, { ...bobs, roles: [], assignee: { role: 'core' }, due: dueOn(1) });
    await add(10, { createdBy: 'eve', roles: null, excludeRequester: true });
    await add(11, { ...bobs, roles: null, due: dueOn(3) });
    const caller = taskPersonOf({ subject: 'eve', issuer, roles: ['core', 'admin'], expiresAt: 0 });
    const query = { ...ALL, order: { by: 'own', caller } } as const;
    const expected = [9, 7, 6, 11, 1, 5, 8, 4, 10, 3, 2];
    assert.deepEqual(await numbersOf(query), expected);
    const pages = [];
    for (const skip of [0, 3, 6, 9]) pages.push(await numbersOf({ ...query, skip, limit: 3 }));
    assert.deepEqual(pages.flat(), expected);
  });

  it('keeps the place of a task in the list of own tasks when its draft is saved', async () => {
    const issuer = 'https://idp.test';
    await add(2, { createdBy: 'bob', assignee: { subject: 'eve', issuer }, due: dueOn(1) });
    await update(2, (one) => ({ ...one, title: 'again' }));
    const caller = taskPersonOf({ subject: 'eve', issuer, roles: [], expiresAt: 0 });
    assert.deepEqual(await numbersOf({ ...ALL, order: { by: 'own', caller } }), [2, 1]);
    assert.deepEqual(await numbersOf({ ...ALL, dueBefore: dueOn(2) }), [2]);
  });

  it('keeps tasks over a restart', async () => {
    await store.close();
    store = await open();
    ({ tasks } = store);
    assert.deepEqual(await numbers(), [1]);
  });
}

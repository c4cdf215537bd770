import assert from 'node:assert/strict';
import { DEFAULT_FILTER, isAssignedTo, tasksPath, urgencyOf } from '../../../console/src/pages/tasks/task.js';
import type { TaskAssignee } from '../../../src/core/task.js';

describe('the task inbox', () => {
  it('requests open tasks by default, those of the person first', () => {
    assert.equal(tasksPath(DEFAULT_FILTER), '/json-forms/tasks?status=open&sort=own&limit=50');
    assert.equal(
      tasksPath({ status: 'all', view: 'RenderYangForm', due: 'overdue', order: 'newest', page: '3' }),
      '/json-forms/tasks?view=RenderYangForm&overdue=true&sort=created&order=-1&limit=50&skip=100',
    );
    assert.equal(tasksPath({ ...DEFAULT_FILTER, order: 'x' }), tasksPath(DEFAULT_FILTER));
    for (const page of ['', '-1', 'x', '0'])
      assert.equal(tasksPath({ ...DEFAULT_FILTER, page }), tasksPath(DEFAULT_FILTER));
  });

  it('names the age of tasks without a deadline after one day and after three', () => {
    const now = Date.UTC(2026, 0, 10);
    const urgency = (hours: number) =>
      urgencyOf({ created: new Date(now - hours * 3_600_000).toISOString(), due: null, status: 'open' }, now);
    const expected = ['open', 'open', 'overOneDay', 'overOneDay', 'overThreeDays'];
    assert.deepEqual([0, 23, 24, 71, 72].map(urgency), expected);
  });

  it('names a task overdue after its deadline, and not old before it', () => {
    const due = '2026-01-10T00:00:00.000Z';
    const task = { created: '2025-01-01T00:00:00.000Z', due, status: 'open' } as const;
    const at = Date.parse(due);
    const found = [at, at + 1].map((now) => urgencyOf(task, now));
    assert.deepEqual(found, ['open', 'overdue']);
  });

  it('finds the tasks of the person, and of the roles of the person', () => {
    const issuer = 'https://idp.test';
    const reader = { subject: 'ada', provenance: issuer, groups: [{ name: 'core' }] };
    const isOwn = (assignee: TaskAssignee | null) => isAssignedTo({ assignee }, reader);
    assert.ok(isOwn({ subject: 'ada', issuer }) && isOwn({ role: 'core' }));
    assert.ok(
      !isOwn(null) && !isOwn({ role: 'edge' }) && !isOwn({ subject: 'ada', issuer: 'https://other.test' }),
    );
  });
});

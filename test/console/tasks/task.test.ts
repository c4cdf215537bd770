import assert from 'node:assert/strict';
import {
  DEFAULT_FILTER,
  ownFirst,
  type TaskHead,
  tasksPath,
  urgencyOf,
} from '../../../console/src/pages/tasks/task.js';

describe('the task inbox', () => {
  it('requests open tasks by default, the oldest first', () => {
    assert.equal(tasksPath(DEFAULT_FILTER), '/json-forms/tasks?status=open&order=1&limit=50');
    assert.equal(
      tasksPath({ status: 'all', view: 'RenderYangForm', order: 'newest', page: '3' }),
      '/json-forms/tasks?view=RenderYangForm&order=-1&limit=50&skip=100',
    );
    for (const page of ['', '-1', 'x', '0'])
      assert.equal(tasksPath({ ...DEFAULT_FILTER, page }), tasksPath(DEFAULT_FILTER));
  });

  it('marks tasks as warning after one day, as bad after three', () => {
    const now = Date.UTC(2026, 0, 10);
    const urgency = (hours: number) =>
      urgencyOf({ created: new Date(now - hours * 3_600_000).toISOString() }, now);
    assert.deepEqual([0, 23, 24, 71, 72].map(urgency), ['good', 'good', 'warning', 'warning', 'bad']);
  });

  it('shows the open tasks of the person, and of the roles of the person, first', () => {
    const head = (id: string, assignee: TaskHead['assignee'], status = 'open') =>
      ({ id, assignee, status }) as TaskHead;
    const issuer = 'https://idp.test';
    const tasks = [
      head('anyone', null),
      head('other issuer', { subject: 'ada', issuer: 'https://other.test' }),
      head('decided', { subject: 'ada', issuer }, 'approved'),
      head('role', { role: 'core' }),
      head('own', { subject: 'ada', issuer }),
      head('other role', { role: 'edge' }),
    ];
    const reader = { subject: 'ada', provenance: issuer, groups: [{ name: 'core' }] };
    const ids = ownFirst(tasks, reader).map(({ id }) => id);
    assert.deepEqual(ids, ['role', 'own', 'anyone', 'other issuer', 'decided', 'other role']);
  });
});

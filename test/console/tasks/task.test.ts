import assert from 'node:assert/strict';
import { DEFAULT_FILTER, tasksPath, urgencyOf } from '../../../console/src/pages/tasks/task.js';

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
      urgencyOf({ created: new Date(now - hours * 3_600_000).toISOString() }, now).status;
    assert.deepEqual([0, 23, 24, 71, 72].map(urgency), ['good', 'good', 'warning', 'warning', 'bad']);
  });
});

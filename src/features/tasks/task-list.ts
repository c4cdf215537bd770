import type { ExpressionBuilder } from 'kysely';
import { ANY_READER } from '../../core/task-access.js';
import type { TaskFilter, TaskOrder, TaskPerson } from '../../core/task.js';
import type { Database, Tables } from '../../storage/tables.js';
import { hashOf } from '../../storage/task-columns.js';
import { hasReader, hashesOf } from './task-reader.js';

export function tasksMatching(db: Database, filter: TaskFilter) {
  const { status, view, readers, overdueAt, dueBefore, dueFrom } = filter;
  return db
    .selectFrom('tasks')
    .leftJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .$if(view !== undefined, (query) => query.where('view', '=', view ?? 'ShowJsonForm'))
    .$if(readers !== undefined, (query) => query.where((eb) => hasReader(eb, readers ?? [])))
    .$if(overdueAt !== undefined, (query) =>
      query.where('status', '=', 'open').where('taskAccess.due', '<', overdueAt ?? ''),
    )
    .$if(dueBefore !== undefined, (query) => query.where('taskAccess.due', '<', dueBefore ?? ''))
    .$if(dueFrom !== undefined, (query) => query.where('taskAccess.due', '>=', dueFrom ?? ''));
}

/** Sorts tasks. The id, which increases with time, decides between equal tasks, so that pages never overlap. */
export function tasksInOrder(query: ReturnType<typeof tasksMatching>, order: TaskOrder) {
  if (order.by === 'own')
    return query
      .orderBy((eb) => partOf(eb, order.caller))
      .orderBy(
        (eb) => eb.case().when('status', '=', 'open').then(eb.ref('taskAccess.due')).end(),
        (due) => due.asc().nullsLast(),
      )
      .orderBy(
        (eb) => eb.case().when('status', '!=', 'open').then(eb.ref('tasks.lastUpdated')).end(),
        (time) => time.desc().nullsLast(),
      )
      .orderBy('tasks.id', 'asc');
  const direction = order.direction === 1 ? 'asc' : 'desc';
  if (order.by === 'created') return query.orderBy('tasks.id', direction);
  return query
    .orderBy('taskAccess.due', (due) => due[direction]().nullsLast())
    .orderBy('tasks.id', direction);
}

type TaskColumns = ExpressionBuilder<Tables & { taskAccess: Tables['taskAccess'] }, 'tasks' | 'taskAccess'>;

/** Returns the part of the list: 0 assigned to the caller, 1 may be answered by the caller, 2 open, 3 finished. */
function partOf(eb: TaskColumns, { person, roles }: TaskPerson) {
  const isExcluded = eb.and([
    eb('taskAccess.excludesOwner', '=', 1),
    eb('taskAccess.owner', '=', hashOf(person)),
  ]);
  return eb
    .case()
    .when('status', '!=', 'open')
    .then(eb.lit(3))
    .when(isExcluded)
    .then(eb.lit(2))
    .when('taskAccess.assignee', 'in', hashesOf([person, ...roles]))
    .then(eb.lit(0))
    .when(hasReader(eb, [ANY_READER, ...roles]))
    .then(eb.lit(1))
    .else(eb.lit(2))
    .end();
}

import { sql } from 'kysely';
import { Problem } from '../../core/problem.js';
import type { Database, Write } from '../../storage/tables.js';
import { hashOf, taskOrderColumns } from '../../storage/task-columns.js';
import { type Task, type TaskQuotas, readerKeysOf, requesterKeyOf } from './task.js';

/** Maximum number of deletions of one change, which bounds its time after the operator has lowered a quota. */
const MAX_DELETIONS = 16;

/** Stores the requester, the readers and the size of a task, and what lists sort by. */
export async function upsertTaskAccess(db: Write, task: Task, document: string): Promise<void> {
  const values = {
    owner: hashOf(requesterKeyOf(task)),
    readers: ` ${readerKeysOf(task).map(hashOf).join(' ')} `,
    bytes: Buffer.byteLength(document),
    ...taskOrderColumns(task),
  };
  await db
    .insertInto('taskAccess')
    .values({ taskId: task.id, ...values })
    .onConflict((conflict) => conflict.column('taskId').doUpdateSet(values))
    .execute();
}

/** Throws `too_many_tasks` if the open tasks, or those of the task's requester, exceed a quota. */
export async function enforceOpenQuotas(db: Write, task: Task, quotas: TaskQuotas): Promise<void> {
  const { maxTasks, maxOpenPerSubject, maxTotalBytes } = quotas;
  const own = await usageOf(db, { isOpen: true, owner: hashOf(requesterKeyOf(task)) });
  const maxOwn = Math.min(maxOpenPerSubject, Math.max(1, Math.floor(maxTasks / 2)));
  const whose = `the tasks that "${task.createdBy}" opened`;
  if (own.count > maxOwn)
    throw tooManyTasks(
      `More than ${maxOwn} of ${whose} would be open (forms.tasks.maxOpenPerSubject, at most half of forms.tasks.maxTasks).`,
    );
  const maxOwnBytes = Math.floor(maxTotalBytes / 2);
  if (own.bytes > maxOwnBytes)
    throw tooManyTasks(
      `Open tasks among ${whose} would exceed ${maxOwnBytes} bytes (half of forms.tasks.maxTotalBytes).`,
    );
  const all = await usageOf(db, { isOpen: true });
  if (all.count > maxTasks)
    throw tooManyTasks(`There would be more than ${maxTasks} open tasks (forms.tasks.maxTasks).`);
  if (all.bytes > maxTotalBytes)
    throw tooManyTasks(`The open tasks would exceed ${maxTotalBytes} bytes (forms.tasks.maxTotalBytes).`);
}

/** Selects the open proposals of the requester of a task. */
export function openProposals(db: Database, task: Task) {
  return (
    db
      .selectFrom('tasks')
      .innerJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
      .where('tasks.status', '=', 'open')
      .where('taskAccess.owner', '=', hashOf(requesterKeyOf(task)))
      // JSON escapes quotation marks in texts, so that only a member has this form.
      .where('tasks.document', 'like', '%"proposal":{"key":"%')
  );
}

/** Maximum number of proposed calls of one requester that wait for a person. */
const MAX_PROPOSALS = 10;

/**
 * Throws `too_many_tasks` if the requester of a proposed call has too many others that wait: people could no longer tell
 * them apart. Those that have expired do not count.
 */
export async function enforceProposalQuota(db: Write, task: Task): Promise<void> {
  const { count } = await openProposals(db, task)
    .where('taskAccess.due', '>', task.created)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) > MAX_PROPOSALS)
    throw new Problem(
      'too_many_tasks',
      `More than ${MAX_PROPOSALS} proposed calls of "${task.createdBy}" would wait for a person.`,
      {
        advice: 'Wait until people have approved or rejected some of them, or until they expire after a day.',
      },
    );
}

/**
 * Deletes finished tasks until they are within the quotas: the oldest ones of the requester who has the most,
 * so that nobody displaces the outcomes of others. Keeps the task that was finished just now.
 */
export async function deleteExcessFinished(
  db: Write,
  keptId: string,
  { maxTasks, maxTotalBytes }: TaskQuotas,
): Promise<void> {
  for (let round = 0; round < MAX_DELETIONS; round += 1) {
    const { count, bytes } = await usageOf(db, { isOpen: false });
    if (count <= maxTasks && bytes <= maxTotalBytes) return;
    const measure = count > maxTasks ? 'count' : 'bytes';
    const owner = await largestOwner(db, keptId, measure);
    if (owner === undefined) return;
    await deleteOldestFinished(db, { owner, keptId, count: Math.max(1, count - maxTasks) });
  }
}

interface Usage {
  readonly count: number;
  readonly bytes: number;
}

/** Returns the number and size of the open or finished tasks, of all requesters or of one. */
async function usageOf(
  db: Database,
  { isOpen, owner }: { readonly isOpen: boolean; readonly owner?: string },
): Promise<Usage> {
  const { count, bytes } = await db
    .selectFrom('tasks')
    .leftJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
    .where('tasks.status', isOpen ? '=' : '!=', 'open')
    .$if(owner !== undefined, (query) => query.where('taskAccess.owner', '=', owner ?? ''))
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('taskAccess.bytes').as('bytes')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes) };
}

/** Owner of a task; empty for a task of a version that did not store the owner. */
const OWNER = sql<string>`coalesce(task_access.owner, '')`;

/**
 * Returns the requester with the most or the largest finished tasks, of those who have another one than the
 * kept task. Among equal requesters, returns the one with the oldest task.
 */
async function largestOwner(db: Database, keptId: string, measure: keyof Usage): Promise<string | undefined> {
  const order = measure === 'count' ? sql`count(*)` : sql`sum(task_access.bytes)`;
  const row = await db
    .selectFrom('tasks')
    .leftJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
    .where('tasks.status', '!=', 'open')
    .groupBy(OWNER)
    .having(sql`sum(case when tasks.id = ${keptId} then 0 else 1 end)`, '>', 0)
    .orderBy(order, 'desc')
    .orderBy(sql`min(tasks.last_updated)`)
    .select(OWNER.as('owner'))
    .limit(1)
    .executeTakeFirst();
  return row?.owner;
}

async function deleteOldestFinished(
  db: Write,
  { owner, keptId, count }: { readonly owner: string; readonly keptId: string; readonly count: number },
): Promise<void> {
  await db
    .deleteFrom('tasks')
    .where('id', 'in', (query) =>
      query
        .selectFrom('tasks')
        .leftJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
        .where('tasks.status', '!=', 'open')
        .where('tasks.id', '!=', keptId)
        .where(OWNER, '=', owner)
        .orderBy('tasks.lastUpdated')
        .orderBy('tasks.id')
        .limit(count)
        .select('tasks.id'),
    )
    .execute();
}

function tooManyTasks(detail: string): Problem {
  return new Problem('too_many_tasks', detail);
}

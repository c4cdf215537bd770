import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { CallerName } from '../../kit/caller-name.js';
import { Button } from '../../kit/button.js';
import { FieldGrid, Page } from '../../kit/page.js';
import { Empty, Read } from '../../kit/feedback.js';
import { SelectField } from '../../kit/fields.js';
import { OuterLink } from '../../kit/link.js';
import { RawLinks } from '../../kit/copy.js';
import { Pager, RowsTable } from '../../kit/rows-table.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import {
  PAGE_SIZE,
  DEFAULT_FILTER,
  type TaskFilter,
  type TaskHead,
  tasksPath,
  urgencyOf,
  VIEWS,
} from './task.js';

interface TasksReply {
  readonly results: readonly TaskHead[];
  readonly total: number;
}

/** Renders the list of open, approved and rejected tasks. */
export function Tasks(): ReactNode {
  const [filter, setUrl] = useUrlState<TaskFilter>(DEFAULT_FILTER);
  const path = tasksPath(filter);
  const tasks = useRead<TasksReply>(path);
  return (
    <Page title="Tasks" lead="Forms that users must approve or reject." actions={<RawLinks path={path} />}>
      <Filters filter={filter} onChange={(changes) => setUrl({ ...changes, page: '1' })} />
      <Read query={tasks} what="the tasks">
        {({ results, total }) =>
          results.length === 0 ? (
            <NoTasks filter={filter} onShowAll={() => setUrl({ status: 'all', view: '', page: '1' })} />
          ) : (
            <>
              <p className="gh-quiet" role="status">
                {total === 1 ? '1 task' : `${total} tasks`}
              </p>
              <RowsTable label="Tasks" columns={COLUMNS} rows={results} keyOf={({ id }) => id} />
              <Pager
                total={total}
                size={PAGE_SIZE}
                page={Number(filter.page)}
                onPage={(page) => setUrl({ page: String(page) })}
              />
            </>
          )
        }
      </Read>
    </Page>
  );
}

interface FiltersProps {
  readonly filter: TaskFilter;
  readonly onChange: (changes: Partial<TaskFilter>) => void;
}

const STATES = ['open', 'approved', 'rejected', 'all'].map((value) => ({ value, label: value }));

function Filters({ filter, onChange }: FiltersProps): ReactNode {
  return (
    <div role="search" aria-label="Filter tasks">
      <FieldGrid>
        <SelectField
          label="Status"
          value={filter.status}
          options={STATES}
          onChange={(status) => onChange({ status })}
        />
        <SelectField
          label="Form"
          value={filter.view}
          options={[
            { value: '', label: 'any' },
            ...Object.entries(VIEWS).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(view) => onChange({ view })}
        />
        <SelectField
          label="Order"
          value={filter.order}
          options={[
            { value: 'oldest', label: 'oldest first' },
            { value: 'newest', label: 'newest first' },
          ]}
          onChange={(order) => onChange({ order })}
        />
      </FieldGrid>
    </div>
  );
}

function NoTasks({
  filter: { status, view },
  onShowAll,
}: {
  readonly filter: TaskFilter;
  readonly onShowAll: () => void;
}): ReactNode {
  const isAll = status === 'all' && view === '';
  return (
    <Empty
      title={status === 'open' ? 'No open tasks' : 'No tasks'}
      {...(!isAll && { actions: <Button onPress={onShowAll}>Show all tasks</Button> })}
    >
      Workflows create tasks with <code>POST /json-forms/task/ShowJsonForm</code> or one of the other views. A
      task stays open until a user approves or rejects it.
    </Empty>
  );
}

const COLUMNS: readonly Column<TaskHead>[] = [
  {
    key: 'title',
    title: 'Task',
    cell: ({ url, title, id }) => <OuterLink to={url}>{title === '' ? id : title}</OuterLink>,
  },
  { key: 'status', title: 'Status', cell: (task) => <TaskState task={task} /> },
  { key: 'view', title: 'Form', cell: ({ view }) => VIEWS[view] ?? view },
  { key: 'created', title: 'Created', cell: ({ created }) => <Ago at={created} /> },
  {
    key: 'by',
    title: 'Created by',
    cell: ({ createdByName, createdBy, createdByIssuer }) => (
      <CallerName name={createdByName} subject={createdBy} issuer={createdByIssuer} />
    ),
  },
  {
    key: 'updated',
    title: 'Changed',
    cell: ({ revision, lastUpdated, lastUpdatedBy, lastUpdatedByName, lastUpdatedByIssuer }) =>
      revision === 1 ? (
        <span className="gh-quiet">unchanged</span>
      ) : (
        <>
          <Ago at={lastUpdated} />{' '}
          <span className="gh-quiet">
            by <CallerName name={lastUpdatedByName} subject={lastUpdatedBy} issuer={lastUpdatedByIssuer} />
          </span>
        </>
      ),
  },
];

function TaskState({ task }: { readonly task: TaskHead }): ReactNode {
  if (task.status === 'approved') return <StatusLabel status="good">approved</StatusLabel>;
  if (task.status === 'rejected') return <StatusLabel status="off">rejected</StatusLabel>;
  const { status, word } = urgencyOf(task, Date.now());
  return <StatusLabel status={status === 'good' ? 'busy' : status}>{word}</StatusLabel>;
}

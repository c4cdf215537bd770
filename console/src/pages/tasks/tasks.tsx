import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CallerName } from '../../kit/caller-name.js';
import { Filter } from '../../kit/choices.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link, OuterLink } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { Pager, RowsTable } from '../../kit/rows-table.js';
import type { Status } from '../../kit/status-kinds.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { locale } from '../../text/locale.js';
import { rich } from '../../text/rich.js';
import { dueText, shortTime } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { useNow } from '../../text/use-now.js';
import {
  DEFAULT_FILTER,
  isAssignedTo,
  PAGE_SIZE,
  type Reader,
  type TaskFilter,
  type TaskHead,
  tasksPath,
  type Urgency,
  urgencyOf,
  VIEWS,
} from './task.js';

const text = textOf('tasks');

interface TasksReply {
  readonly results: readonly TaskHead[];
  readonly total: number;
}

/** Renders the list of open, approved and rejected tasks. */
export function Tasks(): ReactNode {
  const [filter, setUrl] = useUrlState<TaskFilter>(DEFAULT_FILTER);
  const path = tasksPath(filter);
  const tasks = useRead<TasksReply>(path);
  const { data: reader } = useRead<Reader>('/whoami');
  return (
    <Page title={text('title')} lead={text('lead')} source={{ path }}>
      <Filters filter={filter} onChange={(changes) => setUrl({ ...changes, page: '1' })} />
      <Read query={tasks} what={text('what')}>
        {({ results, total }) =>
          results.length === 0 ? (
            <NoTasks
              filter={filter}
              onShowAll={() => setUrl({ status: 'all', view: '', due: '', page: '1' })}
            />
          ) : (
            <>
              <p className="gh-quiet" role="status">
                {text('total', { count: total })}
              </p>
              <RowsTable
                label={text('label')}
                columns={columnsFor(reader)}
                rows={results}
                keyOf={({ id }) => id}
              />
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

const STATES = ['open', 'approved', 'rejected', 'all'] as const;

function Filters({ filter, onChange }: FiltersProps): ReactNode {
  return (
    <div className="gh-toolbar" role="search" aria-label={text('filter')}>
      <Filter
        label={text('status')}
        value={filter.status}
        options={STATES.map((value) => ({ value, label: text(value) }))}
        onChange={(status) => onChange({ status })}
      />
      <Filter
        label={text('form')}
        value={filter.view}
        options={[
          { value: '', label: text('anyForm') },
          ...Object.entries(VIEWS).map(([value, label]) => ({ value, label: text(label) })),
        ]}
        onChange={(view) => onChange({ view })}
      />
      <Filter
        label={text('due')}
        value={filter.due}
        options={[
          { value: '', label: text('anyDue') },
          { value: 'overdue', label: text('overdue') },
        ]}
        onChange={(due) => onChange({ due })}
      />
      <Filter
        label={text('order')}
        value={filter.order}
        options={[
          { value: 'own', label: text('ownFirst') },
          { value: 'due', label: text('byDue') },
          { value: 'oldest', label: text('oldest') },
          { value: 'newest', label: text('newest') },
        ]}
        onChange={(order) => onChange({ order })}
      />
    </div>
  );
}

function NoTasks({
  filter: { status, view, due },
  onShowAll,
}: {
  readonly filter: TaskFilter;
  readonly onShowAll: () => void;
}): ReactNode {
  const { may } = useSession();
  const isAll = status === 'all' && view === '' && due === '';
  return (
    <Empty
      title={text(status === 'open' && view === '' && due === '' ? 'noOpenTasks' : 'noTasks')}
      {...(!isAll && { actions: <Button onPress={onShowAll}>{text('showAll')}</Button> })}
    >
      {rich(text, 'emptyHelp', { code: (children) => <code>{children}</code> })}
      {may('showJsonForm') && may('getOpenApi') && (
        <p>
          {rich(text, 'emptyTry', { link: (children) => <Link to="/api/showJsonForm">{children}</Link> })}
        </p>
      )}
    </Empty>
  );
}

function columnsFor(reader: Reader | undefined): readonly Column<TaskHead>[] {
  return [
    {
      key: 'title',
      card: 'title',
      title: text('task'),
      cell: ({ url, title, id }) => <OuterLink to={url}>{title === '' ? id : title}</OuterLink>,
    },
    { key: 'status', card: 'end', title: text('status'), cell: (task) => <TaskState task={task} /> },
    { key: 'due', title: text('due'), cell: (task) => <Deadline task={task} /> },
    { key: 'assigned', title: text('assigned'), cell: (task) => <Assigned task={task} reader={reader} /> },
    { key: 'view', card: 'bare', title: text('form'), cell: ({ view }) => text(VIEWS[view]) },
    { key: 'created', card: 'bare', title: text('created'), cell: ({ created }) => <Time at={created} /> },
    {
      key: 'by',
      title: text('createdBy'),
      cell: ({ createdByName, createdBy, createdByIssuer }) => (
        <CallerName name={createdByName} subject={createdBy} issuer={createdByIssuer} />
      ),
    },
    { key: 'updated', card: 'hidden', title: text('changed'), cell: (task) => <LastChange task={task} /> },
  ];
}

function LastChange({ task }: { readonly task: TaskHead }): ReactNode {
  const { revision, lastUpdated, lastUpdatedBy, lastUpdatedByName, lastUpdatedByIssuer } = task;
  if (revision === 1) return <span className="gh-quiet">{text('notStarted')}</span>;
  return rich(text, 'changedBy', {
    time: () => <Time at={lastUpdated} />,
    name: () => <CallerName name={lastUpdatedByName} subject={lastUpdatedBy} issuer={lastUpdatedByIssuer} />,
    quiet: (children) => <span className="gh-quiet">{children}</span>,
  });
}

interface AssignedProps {
  readonly task: TaskHead;
  readonly reader: Reader | undefined;
}

/** Names the person or the role that is asked; otherwise the roles that may answer. */
function Assigned({ task, reader }: AssignedProps): ReactNode {
  const { assignee, roles } = task;
  if (assignee !== null) {
    const isOwn = reader !== undefined && isAssignedTo(task, reader);
    if ('role' in assignee) return text(isOwn ? 'assignedYourRole' : 'assignedRole', { role: assignee.role });
    return isOwn ? text('assignedYou') : <CallerName subject={assignee.subject} issuer={assignee.issuer} />;
  }
  if (roles === null) return <span className="gh-quiet">{text('assignedAnyone')}</span>;
  const names = new Intl.ListFormat(locale(), { type: 'disjunction' }).format(roles);
  return text('assignedRoles', { count: roles.length, roles: names });
}

/** Interval in which a page updates how far a deadline is, in milliseconds. */
const REFRESH_MS = 10_000;

const URGENCY_STATUS = {
  open: 'busy',
  overOneDay: 'warning',
  overThreeDays: 'bad',
  overdue: 'bad',
} as const satisfies Record<Urgency, Status>;

function TaskState({ task }: { readonly task: TaskHead }): ReactNode {
  if (task.status === 'approved') return <StatusLabel status="good">{text('approved')}</StatusLabel>;
  if (task.status === 'rejected') return <StatusLabel status="off">{text('rejected')}</StatusLabel>;
  const urgency = urgencyOf(task, useNow(REFRESH_MS));
  return <StatusLabel status={URGENCY_STATUS[urgency]}>{text(urgency)}</StatusLabel>;
}

/** How far the deadline of an open task is, and its time in the time zone of the browser. */
function Deadline({ task: { due, status } }: { readonly task: TaskHead }): ReactNode {
  const now = useNow(REFRESH_MS);
  if (due === null) return <span className="gh-quiet">{text('noDue')}</span>;
  const time = <time dateTime={due}>{shortTime(due)}</time>;
  if (status !== 'open') return time;
  return (
    <>
      {dueText(due, now)} <span className="gh-quiet">({time})</span>
    </>
  );
}

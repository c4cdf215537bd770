import { type ReactNode, useEffect, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.js';
import { setCurrentUser } from '../api/session.js';
import { engineReady, needsEngine, writeJson } from '../form/model/index.js';
import { Button } from '../form/view/controls.js';
import { readAddress, type RequestedTask, taskPath } from './address.js';
import { FinishedTask } from './finished-task.js';
import { removeDraftsOfOthers } from './local-draft.js';
import { OpenTask } from './open-task.js';
import { currentUserId, obtainTask, type Outcome, type Task } from './server.js';
import { TaskFailure } from './task-failure.js';
import { text } from './task-text.js';

interface TaskPageProps {
  readonly request: PageRequest;
  /** The task, if its request was sent before the page was rendered. */
  readonly early: Promise<ObtainedTask> | undefined;
}

/**
 * The page of a task: shows an open task as a form, and a decided task as a read-only record.
 */
export function TaskPage({ request, early }: TaskPageProps): ReactNode {
  const [user, setUser] = useState('');
  const [task, setTask] = useState<Task>();
  const { requested, addressProblem } = request;
  const [isConfirmed, setConfirmed] = useState(requested?.kind === 'task');
  const [problem, setProblem] = useState(addressProblem);
  const [isDecidedHere, setDecidedHere] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    if (!requested || !isConfirmed) return undefined;
    (early ?? obtain(requested))
      .then((found) => {
        if (isUnmounted) return;
        setCurrentUser(found.user);
        setUser(found.user);
        setTask(found.task);
      })
      .catch((error: unknown) => !isUnmounted && setProblem(problemOf(error)));
    return () => {
      isUnmounted = true;
    };
  }, [requested, isConfirmed]);
  useEffect(() => {
    if (task) document.title = `${task.title} · gatehouse`;
  }, [task]);
  if (problem)
    return (
      <Frame>
        <TaskFailure problem={problem} />
      </Frame>
    );
  if (requested?.kind === 'new' && !isConfirmed)
    return (
      <Frame>
        <NewTaskConfirmation requested={requested} onConfirm={() => setConfirmed(true)} />
      </Frame>
    );
  if (!task) return <Frame>{<p role="status">{text('loading')}</p>}</Frame>;
  const decided = (next: Task) => {
    setDecidedHere(true);
    setTask(next);
    if (next.outcome) notifyOpener(next, next.outcome);
  };
  return task.outcome ? (
    <FinishedTask task={task} outcome={task.outcome} isDecidedHere={isDecidedHere} />
  ) : (
    <OpenTask key={task.id} user={user} task={task} onSaved={setTask} onDecided={decided} />
  );
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  return <main className="gh-task gh-task-alone">{children}</main>;
}

/** What the URL of the page asks for, or what is wrong with it. */
interface PageRequest {
  readonly requested?: RequestedTask;
  readonly addressProblem?: ApiProblem;
}

interface ObtainedTask {
  readonly user: string;
  readonly task: Task;
}

/** Parses the URL of the page. */
export function readRequest(): PageRequest {
  try {
    return { requested: readAddress(window.location) };
  } catch (error) {
    return { addressProblem: problemOf(error) };
  }
}

/**
 * Returns the user and the task. Puts the id of a new task into the URL, so that a reload does not create
 * another one. The engine loads meanwhile; only a form that cannot be shown without it waits.
 */
export async function obtain(requested: RequestedTask): Promise<ObtainedTask> {
  const isReady = engineReady();
  const [user, task] = await Promise.all([currentUserId(), obtainTask(requested)]);
  if (needsEngine(task.schema)) await isReady;
  removeDraftsOfOthers(user);
  if (requested.kind === 'new') window.history.replaceState(null, '', taskPath(task.view, task.id));
  return { user, task };
}

/** Maximum length of a displayed variable, in characters. */
const MAX_SHOWN_LENGTH = 120;

interface NewTaskConfirmationProps {
  readonly requested: Extract<RequestedTask, { readonly kind: 'new' }>;
  readonly onConfirm: () => void;
}

/**
 * Asks before the page opens a new task. A page of any site may contain a link to this page, and a task is
 * opened in the name of the user who follows the link.
 */
function NewTaskConfirmation({ requested, onConfirm }: NewTaskConfirmationProps): ReactNode {
  return (
    <>
      <h1>{text('newTask')}</h1>
      <p>{text('newTaskHint', { view: requested.view })}</p>
      <ul>
        {Object.entries(requested.variables).map(([name, value]) => (
          <li key={name}>
            {name}: <code>{shownValue(value)}</code>
          </li>
        ))}
      </ul>
      <Button kind="primary" onClick={onConfirm}>
        {text('openTask')}
      </Button>
    </>
  );
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Message to the page that opened a task, sent with `postMessage`. */
interface TaskMessage {
  readonly type: 'gatehouse.task';
  /** Id of the task. */
  readonly task: string;
  readonly view: string;
  readonly outcome: Outcome['status'];
  readonly reason: string;
  /** The variable `export` (wire decision 6). */
  readonly export: unknown;
}

/**
 * Sends the decision to the page that opened or embeds this page. Only pages of allowed origins receive it.
 */
function notifyOpener(task: Task, outcome: Outcome): void {
  const message: TaskMessage = {
    type: 'gatehouse.task',
    task: task.id,
    view: task.view,
    outcome: outcome.status,
    reason: outcome.reason,
    export: JSON.parse(writeJson(outcome.export)) as unknown,
  };
  for (const listener of listeners())
    for (const origin of task.messageOrigins)
      listener.postMessage(message, origin === 'self' ? window.location.origin : origin);
}

function listeners(): readonly Window[] {
  const opener = window.opener as Window | null;
  return [...(opener ? [opener] : []), ...(window.parent === window ? [] : [window.parent])];
}

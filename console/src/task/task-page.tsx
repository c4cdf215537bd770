import { type ReactNode, useEffect, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.js';
import { readAddress, type RequestedTask, taskPath } from './address.js';
import { FinishedTask } from './finished-task.js';
import { removeDraftsOfOthers } from './local-draft.js';
import { NewTaskConfirmation } from './new-task-confirmation.js';
import { OpenTask } from './open-task.js';
import { textOf } from '../text/text.js';
import { TaskFailure } from './task-failure.js';
import { obtainTask, type Task, currentUserId } from './server.js';
import { notifyOpener } from './notify-opener.js';
import { setCurrentUser } from '../api/session.js';

const text = textOf('task');

/**
 * The page of a task: shows an open task as a form, and a decided task as a read-only record.
 */
export function TaskPage(): ReactNode {
  const [user, setUser] = useState('');
  const [task, setTask] = useState<Task>();
  const [{ requested, addressProblem }] = useState(readRequest);
  const [isConfirmed, setConfirmed] = useState(requested?.kind === 'task');
  const [problem, setProblem] = useState(addressProblem);
  useEffect(() => {
    let isUnmounted = false;
    if (!requested || !isConfirmed) return undefined;
    obtain(requested)
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
    setTask(next);
    if (next.outcome) notifyOpener(next, next.outcome);
  };
  return task.outcome ? (
    <FinishedTask task={task} outcome={task.outcome} />
  ) : (
    <OpenTask key={task.id} user={user} task={task} onSaved={setTask} onDecided={decided} />
  );
}

/** Parses the URL of the page. */
function readRequest(): { readonly requested?: RequestedTask; readonly addressProblem?: ApiProblem } {
  try {
    return { requested: readAddress(window.location) };
  } catch (error) {
    return { addressProblem: problemOf(error) };
  }
}

/**
 * Returns the user and the task. Puts the id of a new task into the URL, so that a reload does not create
 * another one.
 */
async function obtain(requested: RequestedTask): Promise<{ readonly user: string; readonly task: Task }> {
  const [user, task] = await Promise.all([currentUserId(), obtainTask(requested)]);
  removeDraftsOfOthers(user);
  if (requested.kind === 'new') window.history.replaceState(null, '', taskPath(task.view, task.id));
  return { user, task };
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  return <main className="gh-task gh-task-alone">{children}</main>;
}

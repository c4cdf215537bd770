import { type ReactNode, useEffect, useState } from 'react';
import { problemOf } from '../api/problem.js';
import { setCurrentUser } from '../api/session.js';
import { textOf } from '../text/text.js';
import { FinishedTask } from './finished-task.js';
import { NewTaskConfirmation } from './new-task-confirmation.js';
import { notifyOpener } from './notify-opener.js';
import { obtain, type ObtainedTask, type PageRequest } from './obtain.js';
import { OpenTask } from './open-task.js';
import type { Task } from './server.js';
import { TaskFailure } from './task-failure.js';

const text = textOf('task');

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

import { type ReactNode, useEffect, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.js';
import { readAddress, taskPath } from './address.js';
import { FinishedTask } from './finished-task.js';
import { forgetOthers } from './local-draft.js';
import { OpenTask } from './open-task.js';
import { ProblemNotice } from './task-notices.js';
import { obtainTask, type Task, whoIsHere } from './server.js';
import { tellOpener } from './notify-opener.js';

/**
 * The page of one task: opens the requested task, and shows it as a form until it is decided and as a record
 * afterwards.
 */
export function TaskPage(): ReactNode {
  const [user, setUser] = useState('');
  const [task, setTask] = useState<Task>();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    let isGone = false;
    obtain()
      .then((found) => {
        if (isGone) return;
        setUser(found.user);
        setTask(found.task);
      })
      .catch((error: unknown) => !isGone && setProblem(problemOf(error)));
    return () => {
      isGone = true;
    };
  }, []);
  useEffect(() => {
    if (task) document.title = `${task.title} · gatehouse`;
  }, [task]);
  if (problem)
    return <Frame>{problem.status === 401 ? <SignInRequired /> : <ProblemNotice problem={problem} />}</Frame>;
  if (!task) return <Frame>{<p role="status">Loading the task…</p>}</Frame>;
  const decided = (next: Task) => {
    setTask(next);
    if (next.outcome) tellOpener(next, next.outcome);
  };
  return task.outcome ? (
    <FinishedTask task={task} outcome={task.outcome} />
  ) : (
    <OpenTask key={task.id} user={user} task={task} onSaved={setTask} onDecided={decided} />
  );
}

/**
 * Returns the user and the task. Puts the id of a new task into the URL, so that a reload does not create
 * another one.
 */
async function obtain(): Promise<{ readonly user: string; readonly task: Task }> {
  const asked = readAddress(window.location);
  const [user, task] = await Promise.all([whoIsHere(), obtainTask(asked)]);
  forgetOthers(user);
  if (asked.kind === 'new') window.history.replaceState(null, '', taskPath(task.view, task.id));
  return { user, task };
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  return <main className="gh-task gh-task-alone">{children}</main>;
}

function SignInRequired(): ReactNode {
  const back = encodeURIComponent(window.location.pathname + window.location.search);
  return (
    <>
      <h1>Sign in first</h1>
      <p>This task is for people who are known here.</p>
      <p>
        <a
          href={`/ui/sign-in?return=${back}`}
          target={window.parent === window ? '_self' : '_blank'}
          rel="noreferrer"
        >
          Sign in
        </a>
        {window.parent !== window && ' in a new window, and reload this page afterwards.'}
      </p>
    </>
  );
}

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { isOverdue } from '../../../src/core/task.js';
import { useSignInAgainPath } from '../api/use-session-ended.js';
import { dueText, shortTime } from '../text/span.js';
import { useNow } from '../text/use-now.js';
import type { Task } from './server.js';

interface TaskDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus inside, and returns it on close. */
export function TaskDialog({ title, onClose, children }: TaskDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} className="gh-dialog gh-task-dialog" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
      </header>
      <div className="gh-dialog-body">{children}</div>
    </dialog>
  );
}

/** A time (RFC 3339) in the time zone of the browser, with the zone; the original text on hover. */
export function TaskTime({ at }: { readonly at: string }): ReactNode {
  return (
    <time dateTime={at} title={at}>
      {shortTime(at)}
    </time>
  );
}

/** Interval in which the page updates how far the deadline is, in milliseconds. */
const REFRESH_MS = 10_000;

/** How far the deadline of an open task is, and its local time. An overdue task can still be decided. */
export function TaskDue({ task }: { readonly task: Pick<Task, 'status' | 'due'> }): ReactNode {
  const now = useNow(REFRESH_MS);
  const { due } = task;
  if (due === null) return null;
  return (
    <p className="gh-task-due">
      <strong className="gh-task-state" data-kind={isOverdue(task, now) ? 'bad' : undefined}>
        {dueText(due, now)}
      </strong>{' '}
      <span className="gh-task-quiet">
        <TaskTime at={due} />
      </span>
    </p>
  );
}

/** Moves the focus to the heading of the task, when the control with the focus is about to disappear. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.gh-task-head h1')?.focus();
}

interface SignInLinkProps {
  readonly children: ReactNode;
  readonly kind?: 'primary';
  readonly onClick?: () => void;
}

/** A link to the sign-in in a window of its own, so that the entered data stays. */
export function SignInLink({ children, kind, onClick }: SignInLinkProps): ReactNode {
  const path = useSignInAgainPath();
  return (
    <a className="gh-button" data-kind={kind} href={path} target="_blank" rel="noreferrer" onClick={onClick}>
      {children}
    </a>
  );
}

import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import { changesOf } from '../form/model/index.js';
import type { TaskEditing } from './use-task.js';

export interface TaskBarProps {
  readonly work: TaskEditing;
  /** The dialog of the rejection. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

/** The footer of a task: the number of changes, and the actions. */
export function TaskBar({ work, dialog }: TaskBarProps): ReactNode {
  const { save, decide } = work;
  return (
    <footer className="gh-task-bar gh-no-print">
      <TaskStatus work={work} />
      <div className="gh-task-buttons">
        <TaskButton work={work} run={() => void save()}>
          Save draft
        </TaskButton>
        <TaskButton work={work} run={() => dialog.current?.showModal()}>
          Reject…
        </TaskButton>
        <TaskButton work={work} kind="primary" run={() => void decide({ outcome: 'approved' })}>
          Approve
        </TaskButton>
      </div>
    </footer>
  );
}

function TaskStatus({ work: { form, progress, firstError, isKept } }: Pick<TaskBarProps, 'work'>): ReactNode {
  const changes = useMemo(() => changesOf(form).length, [form]);
  const errors = firstError ? form.errors.length : 0;
  const changed = changes === 0 ? 'No changes' : count(changes, 'change');
  return (
    <span className="gh-task-quiet">
      <span role="status">
        {progress ??
          (isKept
            ? changed
            : `${changed}. Unsaved changes are not kept in this browser. Save a draft to keep them.`)}
      </span>
      <span role="alert" className="gh-task-alert">
        {errors > 0 && `${count(errors, 'error')}. Fix the errors and approve again.`}
      </span>
    </span>
  );
}

interface TaskButtonProps extends Pick<TaskBarProps, 'work'> {
  readonly kind?: 'primary';
  readonly run: () => void;
  readonly children: string;
}

/** A button that does nothing while an operation runs. It keeps the focus, which a disabled button loses. */
function TaskButton({ work: { progress }, kind, run, children }: TaskButtonProps): ReactNode {
  const isBusy = progress !== undefined;
  return (
    <button
      type="button"
      className="gh-task-button"
      data-kind={kind}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) run();
      }}
    >
      {children}
    </button>
  );
}

/** Formats a count with its noun: `1 change`, `2 changes`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Maximum length of a reason, in characters. */
const MAX_REASON_LENGTH = 2000;

interface RejectDialogProps {
  /** Opened with `showModal()`: the browser keeps the focus inside and restores it on close. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly onReject: (reason: string) => void;
}

/** Dialog that asks for the reason of a rejection. The requester of the task receives the reason. */
export function RejectDialog({ dialog, onReject }: RejectDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const close = () => dialog.current?.close();
  const reject = () => {
    close();
    onReject(reason.trim());
  };
  return (
    <dialog ref={dialog} className="gh-task-dialog" aria-labelledby="reject-title">
      <h2 id="reject-title">Reject task</h2>
      <label htmlFor="reject-reason">Reason (visible to the requester)</label>
      <textarea
        id="reject-reason"
        rows={5}
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="gh-task-buttons">
        <button
          type="button"
          className="gh-task-button"
          data-kind="bad"
          disabled={reason.trim() === ''}
          onClick={reject}
        >
          Reject
        </button>
        <button type="button" className="gh-task-button" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

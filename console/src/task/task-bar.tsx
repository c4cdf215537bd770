import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import { changesOf } from '../form/model/index.js';
import type { WorkOnTask } from './use-task.js';

export interface TaskBarProps {
  readonly work: WorkOnTask;
  /** The dialog of the rejection. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

/** The number of changes, and the actions of the task. */
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

function TaskStatus({ work: { form, doing, wrong, isKept } }: Pick<TaskBarProps, 'work'>): ReactNode {
  const changes = useMemo(() => changesOf(form).length, [form]);
  const errors = wrong ? form.errors.length : 0;
  const changed = changes === 0 ? 'Nothing changed' : count(changes, 'change');
  return (
    <span className="gh-task-quiet">
      <span role="status">
        {doing ?? (isKept ? changed : `${changed}; what you type is not kept in this browser: save a draft`)}
      </span>
      <span role="alert" className="gh-task-alert">
        {errors > 0 && `${count(errors, 'error')}: nothing was sent.`}
      </span>
    </span>
  );
}

interface TaskButtonProps extends Pick<TaskBarProps, 'work'> {
  readonly kind?: 'primary';
  readonly run: () => void;
  readonly children: string;
}

/**
 * A button that does nothing while an operation is running; it keeps the focus, which a disabled button would
 * lose.
 */
function TaskButton({ work: { doing }, kind, run, children }: TaskButtonProps): ReactNode {
  const isBusy = doing !== undefined;
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
export function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

/** Maximum length of a reason, in characters. */
const REASON_LENGTH = 2000;

export interface RejectDialogProps {
  /** Opened with `showModal()`: the browser keeps the focus inside and restores it on close. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly onReject: (reason: string) => void;
}

/** Asks for the reason of a rejection, which the requester of the task receives. */
export function RejectDialog({ dialog, onReject }: RejectDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const close = () => dialog.current?.close();
  const reject = () => {
    close();
    onReject(reason.trim());
  };
  return (
    <dialog ref={dialog} className="gh-task-dialog" aria-labelledby="reject-title">
      <h2 id="reject-title">Reject this task</h2>
      <label htmlFor="reject-reason">Why? The requester sees the reason.</label>
      <textarea
        id="reject-reason"
        rows={5}
        maxLength={REASON_LENGTH}
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

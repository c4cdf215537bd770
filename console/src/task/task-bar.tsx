import { type ReactNode, type RefObject, useMemo } from 'react';
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

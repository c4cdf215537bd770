import { type ReactNode, useMemo } from 'react';
import { changesOf } from '../form/model/index.js';
import { Button } from '../form/view/controls.js';
import { text } from './task-text.js';
import type { TaskEditing } from './use-task.js';

interface TaskBarProps {
  readonly work: TaskEditing;
  /** True if nothing can be edited, so that there is nothing to save. */
  readonly isFixed: boolean;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

/** The footer of a task: the number of changes, and the actions. */
export function TaskBar({ work, isFixed, onApprove, onReject }: TaskBarProps): ReactNode {
  return (
    <footer className="gh-task-bar gh-no-print">
      {!isFixed && (
        <>
          <TaskStatus work={work} />
          <TaskButton work={work} size="small" keys="Control+S" run={() => void work.save()}>
            {text('saveDraft')}
          </TaskButton>
        </>
      )}
      <div className="gh-actions">
        <TaskButton work={work} run={onReject}>
          {text('rejectAsk')}
        </TaskButton>
        <TaskButton work={work} kind="primary" run={onApprove}>
          {text('approveAsk')}
        </TaskButton>
      </div>
    </footer>
  );
}

function TaskStatus({ work }: Pick<TaskBarProps, 'work'>): ReactNode {
  const { form, progress, isKept, isUnsaved, isDraftSaved, hasErrors } = work;
  const changes = useMemo(() => changesOf(form).length, [form]);
  const saved = isDraftSaved ? text('draftSaved') : isUnsaved ? text(isKept ? 'notSaved' : 'notKept') : '';
  return (
    <span className="gh-task-quiet gh-task-status">
      <span role="status">
        {progress ?? (
          <>
            <span>{text('changesToProposal', { count: changes })}</span> <span>{saved}</span>
          </>
        )}
      </span>
      <span role="alert" className="gh-task-alert">
        {hasErrors && text('errors', { count: form.errors.length })}
      </span>
    </span>
  );
}

interface TaskButtonProps extends Pick<TaskBarProps, 'work'> {
  readonly kind?: 'primary';
  readonly size?: 'small';
  /** Keyboard shortcut, for `aria-keyshortcuts`. */
  readonly keys?: string;
  readonly run: () => void;
  readonly children: string;
}

/** A button that does nothing while an operation runs. It keeps the focus, which a disabled button loses. */
function TaskButton({ work: { progress }, kind, size, keys, run, children }: TaskButtonProps): ReactNode {
  const isBusy = progress !== undefined;
  return (
    <Button
      kind={kind}
      data-size={size}
      aria-keyshortcuts={keys}
      title={keys?.replace('Control', 'Ctrl')}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) run();
      }}
    >
      {children}
    </Button>
  );
}

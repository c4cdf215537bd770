import type { ReactNode } from 'react';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';
import type { TaskTrial } from './use-task-trial.js';

const text = textOf('designer');

/** Renders why a form was not opened as a task, or a link to the task if the browser opened no window. */
export function TaskTrialDialog({ trial }: { readonly trial: TaskTrial }): ReactNode {
  return (
    <Dialog
      title={text(trial.problem ? 'notOpened' : 'taskReady')}
      isOpen={trial.problem !== undefined || trial.blockedPath !== undefined}
      onClose={trial.dismiss}
    >
      {trial.problem && <Failure problem={trial.problem} />}
      {trial.blockedPath !== undefined && (
        <a href={trial.blockedPath} target="_blank" rel="noreferrer">
          {text('openTask')}
        </a>
      )}
    </Dialog>
  );
}

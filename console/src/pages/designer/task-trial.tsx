import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { type ApiRequest, request } from '../../api/request.js';
import { useOperation } from '../../api/use-operation.js';
import { text } from '../../design/designer-text.js';
import type { FormDraft } from '../../design/draft.js';
import { FORM_DIALECT } from '../../design/examples.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';

/** Opens a form as a task: the request, and why it failed. */
interface TaskTrial {
  readonly start: () => void;
  readonly isBusy: boolean;
  readonly problem: ApiProblem | undefined;
  /** Path of the task's page if the browser did not let this page open a window. */
  readonly blockedPath: string | undefined;
  readonly dismiss: () => void;
}

/** Opens a form as a real task in a new window, with the request that creates the task. */
export function useTaskTrial(wanted: () => ApiRequest): TaskTrial {
  const { isBusy, problem, clearProblem, run } = useOperation();
  const [blockedPath, setBlockedPath] = useState<string>();
  const start = async () => {
    // Browsers open a window only during the click, so the window is there before the task is.
    const opened = window.open('', '_blank');
    try {
      const { data } = await request<{ readonly url: string }>(wanted());
      if (opened) {
        opened.opener = null;
        opened.location.replace(data.url);
      } else setBlockedPath(data.url);
    } catch (error) {
      opened?.close();
      throw error;
    }
  };
  const dismiss = () => {
    clearProblem();
    setBlockedPath(undefined);
  };
  return { start: () => void run(start), isBusy, problem, blockedPath, dismiss };
}

/** Returns the request for a task with the current state of a form, saved or not. */
export function draftTask({
  name,
  schema,
  uiSchema,
  bindingSchema,
  validationSchema,
}: FormDraft): ApiRequest {
  const body = {
    ...(name !== '' && { title: text('tryTitle', { name }) }),
    jsonSchema: { $schema: FORM_DIALECT, ...schema },
    uiSchema,
    bindingSchema,
    validationSchema,
  };
  return { method: 'POST', path: '/json-forms/task/RenderJsonSchema', body };
}

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

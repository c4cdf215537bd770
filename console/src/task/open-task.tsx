import { type ReactNode, useRef } from 'react';
import { changesOf } from '../form/model/index.js';
import { resolveBinding } from '../form/resolve-binding.js';
import { FormView } from '../form/view/form-view.js';
import { ConflictNotice, ProblemNotice, SessionEndedNotice } from './task-notices.js';
import { count, RejectDialog, TaskBar } from './task-bar.js';
import { TaskTime } from './task-time.js';
import { type OpenTaskProps, useTask, type TaskEditing } from './use-task.js';

/** An open task: its form and its actions. */
export function OpenTask(props: OpenTaskProps): ReactNode {
  const { task } = props;
  const work = useTask(props);
  const { form, setForm, problem, conflict, resume, decide } = work;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <main className="gh-task">
      <header className="gh-task-head">
        <h1>{task.title}</h1>
        <p className="gh-task-quiet">
          requested by {task.createdByName} on <TaskTime at={task.created} />
          {task.draft && (
            <>
              , draft of {task.draft.byName ?? task.draft.by} on <TaskTime at={task.draft.at} />
            </>
          )}
        </p>
      </header>
      <SessionEndedNotice />
      {conflict && (
        <ConflictNotice by={conflict.lastUpdatedByName} at={conflict.lastUpdated} onApply={resume} />
      )}
      {problem && <ProblemNotice problem={problem} />}
      {work.isRestored && <RestoredNotice work={work} />}
      <FormView
        state={form}
        onChange={setForm}
        onSubmit={() => void decide({ outcome: 'approved' })}
        resolveBinding={resolveBinding}
        goTo={work.firstError}
        title={task.title}
      />
      <TaskBar work={work} dialog={dialog} />
      <RejectDialog dialog={dialog} onReject={(reason) => void decide({ outcome: 'rejected', reason })} />
    </main>
  );
}

/** Reports that unsaved edits of an earlier visit were restored. */
function RestoredNotice({ work: { form, discard } }: { readonly work: TaskEditing }): ReactNode {
  const changes = changesOf(form).length;
  if (changes === 0) return null;
  return (
    <div className="gh-task-notice">
      <p role="status">Unsaved changes of an earlier visit were restored: {count(changes, 'change')}.</p>
      <button type="button" className="gh-task-button" onClick={discard}>
        Discard
      </button>
    </div>
  );
}

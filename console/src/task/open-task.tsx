import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { changesOf } from '../form/model/index.js';
import { FormView } from '../form/view/form-view.js';
import { rich } from '../text/rich.js';
import { locale } from '../text/locale.js';
import { textOf } from '../text/text.js';
import { choicesOf } from './choices.js';
import { OthersDraftNotice } from './clash-notice.js';
import { ApproveDialog, RejectDialog } from './decision-dialogs.js';
import type { Decision, Task } from './server.js';
import { SessionCountdown, SessionEndedDialog } from './session-notices.js';
import { TaskBar } from './task-bar.js';
import { ProblemNotice } from './task-notices.js';
import { TaskTime } from './task-time.js';
import { type OpenTaskProps, useTask, type TaskEditing } from './use-task.js';

const text = textOf('task');

/** An open task: its form and its actions. */
export function OpenTask(props: OpenTaskProps): ReactNode {
  const { task } = props;
  const work = useTask(props);
  const [dialog, setDialog] = useState<'approve' | 'reject'>();
  const resolveBinding = useMemo(() => choicesOf(task.id), [task.id]);
  const close = () => setDialog(undefined);
  const decide = (decision: Decision) => {
    close();
    void work.decide(decision);
  };
  return (
    <main className="gh-task" onKeyDown={(event) => saveByKey(event, work)}>
      <TaskHead task={task} />
      <Presence people={work.people} />
      <SessionEndedDialog />
      <SessionCountdown endsAt={work.tokenEnds} />
      <OthersDraftNotice work={work} />
      {work.problem && <ProblemNotice problem={work.problem} />}
      {work.isRestored && <RestoredNotice work={work} />}
      <FormView
        state={work.form}
        onChange={work.setForm}
        onSave={(form) => void work.save(form)}
        resolveBinding={resolveBinding}
        goTo={work.goTo}
        title={task.title}
        facts={[
          [text('factTask'), task.id],
          [text('factRequested'), text('byAt', { name: task.createdByName, time: task.created })],
        ]}
      />
      <TaskBar
        work={work}
        onApprove={() => {
          work.check();
          setDialog('approve');
        }}
        onReject={() => setDialog('reject')}
      />
      {dialog === 'approve' && (
        <ApproveDialog
          task={task}
          form={work.form}
          onGoTo={(row) => {
            close();
            work.setGoTo(row);
          }}
          onDecide={decide}
          onClose={close}
        />
      )}
      {dialog === 'reject' && <RejectDialog onDecide={decide} onClose={close} />}
    </main>
  );
}

/** Saves the draft by Ctrl+S outside of the form, which handles the key itself. */
function saveByKey(event: KeyboardEvent, { progress, save }: TaskEditing): void {
  if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
  event.preventDefault();
  if (progress === undefined) void save();
}

function TaskHead({ task }: { readonly task: Task }): ReactNode {
  const { draft } = task;
  return (
    <header className="gh-task-head">
      <h1>{task.title}</h1>
      <p className="gh-task-quiet">
        {rich(text, 'requestedBy', { name: task.createdByName, time: () => <TaskTime at={task.created} /> })}
      </p>
      {draft && (
        <p className="gh-task-quiet">
          {rich(text, 'draftBy', { name: draft.byName ?? draft.by, time: () => <TaskTime at={draft.at} /> })}
        </p>
      )}
    </header>
  );
}

/** Names the other people who have the task open. */
function Presence({ people }: { readonly people: readonly string[] }): ReactNode {
  return (
    <p className="gh-task-quiet gh-task-presence gh-no-print" role="status">
      {people.length > 0 &&
        text('present', { count: people.length, names: new Intl.ListFormat(locale()).format(people) })}
    </p>
  );
}

/** Reports that unsaved changes of an earlier visit were restored. */
function RestoredNotice({ work: { form, discard } }: { readonly work: TaskEditing }): ReactNode {
  return (
    <div className="gh-task-notice">
      <p role="status">{text('restored', { count: changesOf(form).length })}</p>
      <button type="button" className="gh-task-button" onClick={discard}>
        {text('discard')}
      </button>
    </div>
  );
}

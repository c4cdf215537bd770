import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { changesOf } from '../form/model/index.js';
import { ChangeNotesProvider } from '../form/view/change-notes.js';
import { Button } from '../form/view/controls.js';
import { FormView } from '../form/view/form-view.js';
import { locale } from '../text/locale.js';
import { rich } from '../text/rich.js';
import { OthersDraftNotice } from './clash-notice.js';
import { ApproveDialog, RejectDialog } from './decision-dialogs.js';
import { requestFacts } from './finished-task.js';
import { ConnectionNotice, ProblemNotice, SessionCountdown, SessionEndedDialog } from './notices.js';
import { focusHeading, TaskDue, TaskTime } from './parts.js';
import { choicesOf, type Decision, subtreesOf, type Task } from './server.js';
import { TaskBar } from './task-bar.js';
import { changeNotesOf, isFixed } from './task-form.js';
import { TaskSummary } from './task-summary.js';
import { text } from './task-text.js';
import { type OpenTaskProps, type TaskEditing, useTask } from './use-task.js';

export function OpenTask(props: OpenTaskProps): ReactNode {
  const { task } = props;
  const work = useTask(props);
  const [opened, setOpened] = useState<OpenDialog>();
  // The texts stay when a decision fails, so that they need not be typed again.
  const [comment, setComment] = useState('');
  const [reason, setReason] = useState('');
  const resolveBinding = useMemo(() => choicesOf(task.id), [task.id]);
  const fixed = useMemo(() => isFixed(task), [task]);
  const loadSubtrees = useMemo(() => subtreesOf(task.id), [task.id]);
  const changeNotes = useMemo(() => changeNotesOf(work.form, task), [work.form.data, task]);
  // A person approves the data that the dialog shows, and not what another person saved meanwhile.
  const isOutdated = opened !== undefined && opened.revision !== task.revision;
  const dialog = isOutdated ? undefined : opened?.kind;
  // The dialog that closes reports that it was closed, and the notice must stay.
  const [isInterrupted, setInterrupted] = useState(false);
  useEffect(() => {
    if (isOutdated) setInterrupted(true);
  }, [isOutdated]);
  const open = (kind: OpenDialog['kind']) => {
    if (!work.isMerged()) return;
    if (kind === 'approve') work.check();
    setInterrupted(false);
    setOpened({ kind, revision: task.revision });
  };
  const close = () => setOpened(undefined);
  const decide = (decision: Decision) => {
    close();
    void work.decide(decision);
  };
  return (
    <main
      className="gh-task"
      onKeyDown={(event) => saveByKey(event, dialog === undefined && !fixed ? work : undefined)}
    >
      <TaskHead task={task} />
      <Presence people={work.people} />
      <SessionEndedDialog />
      <SessionCountdown endsAt={work.tokenEnds} />
      {isInterrupted && (
        <p className="gh-task-notice" data-kind="warning" role="status">
          {text('reviewClosed')}
        </p>
      )}
      <OthersDraftNotice work={work} />
      <ConnectionNotice isLost={work.isLost} />
      {work.problem && !(work.isLost && work.problem.code === 'unreachable') && (
        <ProblemNotice problem={work.problem} />
      )}
      {work.isRestored && <RestoredNotice work={work} />}
      <TaskSummary form={work.form} base={work.form.loaded} />
      <ChangeNotesProvider value={changeNotes}>
        <FormView
          state={work.form}
          onChange={work.setForm}
          onSave={(form) => void (fixed || work.save(form))}
          resolveBinding={resolveBinding}
          loadSubtrees={loadSubtrees}
          goTo={work.goTo}
          title={task.title}
          facts={requestFacts(task)}
        />
        <TaskBar
          work={work}
          isFixed={fixed}
          onApprove={() => open('approve')}
          onReject={() => open('reject')}
        />
        {dialog === 'approve' && (
          <ApproveDialog
            form={work.form}
            text={comment}
            onText={setComment}
            onGoTo={(row) => {
              close();
              work.setGoTo(row);
            }}
            onDecide={decide}
            onClose={close}
          />
        )}
        {dialog === 'reject' && (
          <RejectDialog text={reason} onText={setReason} onDecide={decide} onClose={close} />
        )}
      </ChangeNotesProvider>
    </main>
  );
}

/** The open dialog, and the revision of the task that it shows. */
interface OpenDialog {
  readonly kind: 'approve' | 'reject';
  readonly revision: number;
}

/** Saves the draft by Ctrl+S outside of the form, which handles the key itself. A dialog saves nothing. */
function saveByKey(event: KeyboardEvent, work: TaskEditing | undefined): void {
  if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
  event.preventDefault();
  void work?.save();
}

function TaskHead({ task }: { readonly task: Task }): ReactNode {
  const { draft } = task;
  return (
    <header className="gh-task-head gh-no-print">
      <h1 tabIndex={-1}>{task.title}</h1>
      <TaskDue task={task} />
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
      <Button
        onClick={() => {
          discard();
          focusHeading();
        }}
      >
        {text('discard')}
      </Button>
    </div>
  );
}

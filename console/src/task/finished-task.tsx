import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { changesOf, type FormState, openForm } from '../form/model/index.js';
import { ChangeList } from '../form/view/change-list.js';
import { Button } from '../form/view/controls.js';
import { FormView } from '../form/view/form-view.js';
import { locale } from '../text/locale.js';
import { rich } from '../text/rich.js';
import { shortTime } from '../text/span.js';
import { focusHeading, TaskTime } from './parts.js';
import { type Outcome, subtreesOf, type Task } from './server.js';
import { text } from './task-text.js';

interface FinishedTaskProps {
  readonly task: Task;
  readonly outcome: Outcome;
  /** True if the person has decided the task just now: the result gets the focus, and is announced. */
  readonly isDecidedHere: boolean;
}

/** A decided task: read-only and printable, with the changes to what the workflow proposed. */
export function FinishedTask({ task, outcome, isDecidedHere }: FinishedTaskProps): ReactNode {
  // The form is read-only, but the user can open and search its rows.
  const [form, setForm] = useState(() => decidedForm(task, outcome));
  const loadSubtrees = useMemo(() => subtreesOf(task.id), [task.id]);
  const isApproved = outcome.status === 'approved';
  const name = outcome.byName ?? outcome.by;
  const changes = changesOf(form).length;
  useEffect(() => {
    if (!isDecidedHere) return;
    window.scrollTo(0, 0);
    focusHeading();
  }, [isDecidedHere]);
  return (
    <main className="gh-task">
      <header className="gh-task-head gh-no-print">
        <h1 tabIndex={-1}>{task.title}</h1>
        <div className="gh-task-result" role="status" data-kind={isApproved ? 'good' : 'bad'}>
          <p className="gh-task-state" data-kind={isApproved ? 'good' : 'bad'}>
            <span aria-hidden="true">{isApproved ? '✓' : '✕'}</span> {text(outcome.status)}
          </p>
          <p className="gh-task-quiet">
            {rich(text, 'decidedBy', { name, time: () => <TaskTime at={outcome.at} /> })}
          </p>
          {isDecidedHere && (
            <p className="gh-task-quiet">{text('decisionSent', { name: task.createdByName })}</p>
          )}
        </div>
        <Button onClick={() => window.print()}>{text('print')}</Button>
      </header>
      {outcome.reason !== '' && (
        <blockquote className="gh-task-notice gh-no-print" data-kind={isApproved ? undefined : 'bad'}>
          <p className="gh-task-quiet">{text(isApproved ? 'comment' : 'reasonOfRejection')}</p>
          <p>{outcome.reason}</p>
        </blockquote>
      )}
      <details className="gh-task-changes gh-no-print" open={changes > 0}>
        <summary>{text('changesToProposal', { count: changes })}</summary>
        {changes > 0 && <ChangeList state={form} base={task.formData} />}
      </details>
      <FormView
        state={form}
        onChange={setForm}
        readOnly
        loadSubtrees={loadSubtrees}
        title={task.title}
        facts={printedFacts(task, outcome)}
      />
      <footer className="gh-task-quiet gh-no-print">
        {rich(text, 'record', {
          id: task.id,
          name: task.createdByName,
          time: () => <TaskTime at={task.created} />,
          hash: () => <code>{outcome.hash}</code>,
        })}
      </footer>
    </main>
  );
}

/** Returns the form with the data of the decision; a rejection without data has that of the proposal. */
function decidedForm(task: Task, outcome: Outcome): FormState {
  const { schema, uiSchema, bindingSchema, dialect, formData, partial: isPartial = false } = task;
  const options = { readOnly: true, dialect, isPartial, language: locale() };
  const opened = openForm({ schema, uiSchema, bindingSchema, data: formData }, options);
  return outcome.status === 'rejected' && outcome.export === null
    ? opened
    : { ...opened, data: outcome.export };
}

function printedFacts(task: Task, outcome: Outcome): readonly (readonly [string, string])[] {
  const decided = { name: outcome.byName ?? outcome.by, time: shortTime(outcome.at) };
  return [
    ...requestFacts(task),
    [text('factDecision'), text(outcome.status === 'approved' ? 'approvedByAt' : 'rejectedByAt', decided)],
    ...(outcome.reason === '' ? [] : [[text('factReason'), outcome.reason] as const]),
    [text('factHash'), outcome.hash],
  ];
}

/** Returns the printed facts about the request of a task: its id, its requester and its deadline. */
export function requestFacts({
  id,
  createdByName,
  created,
  due,
}: Task): readonly (readonly [string, string])[] {
  return [
    [text('factTask'), id],
    [text('factRequested'), text('byAt', { name: createdByName, time: shortTime(created) })],
    ...(due === null ? [] : [[text('factDue'), shortTime(due)] as const]),
  ];
}

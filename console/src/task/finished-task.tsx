import { type ReactNode, useState } from 'react';
import { openForm } from '../form/model/index.js';
import { FormView } from '../form/view/form-view.js';
import type { Outcome, Task } from './server.js';
import { TaskTime } from './task-time.js';

const OUTCOME_LABELS = { approved: '✓ Approved', rejected: '✕ Rejected' } as const;

/** A decided task: read-only and printable. */
export function FinishedTask({
  task,
  outcome,
}: {
  readonly task: Task;
  readonly outcome: Outcome;
}): ReactNode {
  // The form is read-only, but the user can open and search its rows.
  const [form, setForm] = useState(() =>
    openForm(
      {
        schema: task.schema,
        uiSchema: task.uiSchema,
        bindingSchema: task.bindingSchema,
        data: outcome.export,
      },
      { readOnly: true, dialect: task.dialect },
    ),
  );
  return (
    <main className="gh-task">
      <header className="gh-task-head">
        <h1>{task.title}</h1>
        <p className="gh-task-state" data-kind={outcome.status === 'approved' ? 'good' : 'bad'}>
          {OUTCOME_LABELS[outcome.status]}
        </p>
        <p className="gh-task-quiet">
          by {outcome.byName ?? outcome.by} on <TaskTime at={outcome.at} />
        </p>
        <button type="button" className="gh-task-button gh-no-print" onClick={() => window.print()}>
          Print
        </button>
      </header>
      {outcome.reason !== '' && (
        <blockquote className="gh-task-notice" data-kind="bad">
          {outcome.reason}
        </blockquote>
      )}
      <FormView
        state={form}
        onChange={setForm}
        readOnly
        title={task.title}
        facts={[
          ['Task', task.id],
          ['Decision', `${outcome.status} by ${outcome.byName ?? outcome.by}, ${outcome.at}`],
          ['SHA-256', outcome.hash],
        ]}
      />
      <footer className="gh-task-quiet">
        Task {task.id}, requested by {task.createdByName} on <TaskTime at={task.created} />. SHA-256 of the
        data: <code>{outcome.hash}</code>
      </footer>
    </main>
  );
}

import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { Notice } from '../../kit/feedback.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';

const text = textOf('forms');

interface Tasks {
  readonly results: readonly { readonly title: string; readonly status: string }[];
  readonly total: number;
}

const LATEST_TASKS_PATH = pathOf(['json-forms', 'tasks'], { view: 'ShowJsonForm', limit: 100 });

/** Shows how deleting forms affects their users. */
export function Usage({ forms }: { readonly forms: readonly StoredForm[] }): ReactNode {
  const mayListTasks = useSession().may('getTasks');
  const { data } = useRead<Tasks>(LATEST_TASKS_PATH, { enabled: mayListTasks });
  const used = usedForms(forms, data?.results ?? []);
  return (
    <div className="gh-stack">
      <ul className="gh-faults">
        {forms.slice(0, 10).map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {forms.length > 10 && <li>{text('andMore', { count: forms.length - 10 })}</li>}
      </ul>
      {used.length > 0 && (
        <Notice kind="warning" title={text('usedByTasks')}>
          <ul className="gh-faults">
            {used.map(({ name, count, open }) => (
              <li key={name}>{text('usage', { name, count, open })}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p>{rich(text, 'deleteHelp', { code: (children) => <code>{children}</code> })}</p>
    </div>
  );
}

function usedForms(forms: readonly StoredForm[], tasks: Tasks['results']) {
  return forms
    .map(({ name }) => {
      const ownTasks = tasks.filter(({ title }) => title === name);
      return {
        name,
        count: ownTasks.length,
        open: ownTasks.filter(({ status }) => status === 'open').length,
      };
    })
    .filter(({ count }) => count > 0);
}

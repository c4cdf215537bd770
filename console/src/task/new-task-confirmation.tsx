import type { ReactNode } from 'react';
import { textOf } from '../text/text.js';
import type { RequestedTask } from './address.js';

const text = textOf('task');

/** Maximum length of a displayed variable, in characters. */
const MAX_SHOWN_LENGTH = 120;

interface NewTaskConfirmationProps {
  readonly requested: Extract<RequestedTask, { readonly kind: 'new' }>;
  readonly onConfirm: () => void;
}

/**
 * Asks before the page opens a new task. A page of any site may contain a link to this page, and a task is
 * opened in the name of the user who follows the link.
 */
export function NewTaskConfirmation({ requested, onConfirm }: NewTaskConfirmationProps): ReactNode {
  return (
    <>
      <h1>{text('newTask')}</h1>
      <p>{text('newTaskHint', { view: requested.view })}</p>
      <ul>
        {Object.entries(requested.variables).map(([name, value]) => (
          <li key={name}>
            {name}: <code>{shownValue(value)}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="gh-button" data-kind="primary" onClick={onConfirm}>
        {text('openTask')}
      </button>
    </>
  );
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

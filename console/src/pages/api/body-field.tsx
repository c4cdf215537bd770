import { type ReactNode, useState } from 'react';
import type { FormState } from '../../form/model/index.js';
import { FormView } from '../../form/view/form-view.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { Segments } from '../../kit/choices.js';
import { type BodyForm, bodyText, openBodyForm } from './body-form.js';
import type { Schema } from './operation.js';

export interface BodyFieldProps {
  /** The schema with all schemas that it refers to. */
  readonly schema: Schema;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Why the text is not valid JSON. */
  readonly fault: string | undefined;
}

const VIEWS = [
  { key: 'form', label: 'Form' },
  { key: 'json', label: 'JSON' },
] as const;

/**
 * Renders the body of a call, as a form and as JSON of the same text. If the schema supports no form, there
 * is only JSON.
 */
export function BodyField({ schema, text, onChange, fault }: BodyFieldProps): ReactNode {
  const [bodyForm, setBodyForm] = useState<BodyForm>(() => openBodyForm(schema, text));
  const [hasForm] = useState('form' in bodyForm);
  const [view, setView] = useState<'form' | 'json'>('form');
  const choose = (next: 'form' | 'json') => {
    if (next === 'form') setBodyForm(openBodyForm(schema, text));
    setView(next);
  };
  const edit = (next: FormState) => {
    setBodyForm({ form: next });
    if ('form' in bodyForm && next.data !== bodyForm.form.data) onChange(bodyText(next));
  };
  const isForm = view === 'form' && 'form' in bodyForm;
  return (
    <div className="gh-stack">
      <div className="gh-api-body">
        <p>
          Body{' '}
          <span className="gh-quiet">
            Contains the required members; the schema below describes all members.
          </span>
        </p>
        {hasForm && (
          <Segments label="Body view" options={VIEWS} value={isForm ? 'form' : 'json'} onChange={choose} />
        )}
      </div>
      {isForm ? (
        <FormView state={bodyForm.form} onChange={edit} />
      ) : (
        <CodeEditor label="Body" value={text} onChange={onChange} height={heightOf(text)} />
      )}
      {fault !== undefined && <p role="alert">{fault}</p>}
      {hasForm && view === 'form' && 'lack' in bodyForm && fault === undefined && (
        <p role="status">There is no form for this body: {bodyForm.lack}.</p>
      )}
    </div>
  );
}

function heightOf(text: string): 'small' | 'medium' {
  return text.split('\n').length > 12 ? 'medium' : 'small';
}

import { type ReactNode, useEffect, useState } from 'react';
import type { ProblemError } from '../../api/problem.js';
import { type FormState, withServerErrors } from '../../form/model/index.js';
import { FormView } from '../../form/view/form-view.js';
import { Segments } from '../../kit/choices.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { textOf } from '../../text/text.js';
import { type BodyForm, bodyText, openBodyForm } from './body-form.js';
import type { Schema } from './operation.js';

const text = textOf('api');

interface BodyFieldProps {
  /** The schema with all schemas that it refers to. */
  readonly schema: Schema;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Why the text is not valid JSON. */
  readonly fault: string | undefined;
  /** Name of what the fields are, as an ordinary form; absent: the body. */
  readonly title?: string;
  /** Errors of the server, which the form shows at its fields; a new list marks the fields again. */
  readonly errors?: readonly ProblemError[];
}

const NO_ERRORS: readonly ProblemError[] = [];

const VIEWS = ['form', 'json'] as const;

/**
 * Renders the body of a call, as a form and as JSON of the same text. If the schema supports no form, there
 * is only JSON.
 */
export function BodyField({
  schema,
  text: json,
  onChange,
  fault,
  title,
  errors = NO_ERRORS,
}: BodyFieldProps): ReactNode {
  const [bodyForm, setBodyForm] = useState<BodyForm>(() => openBodyForm(schema, json));
  const [hasForm] = useState('form' in bodyForm);
  const [view, setView] = useState<'form' | 'json'>('form');
  useEffect(() => {
    if (errors.length === 0) return;
    setBodyForm((now) => ('form' in now ? { form: withServerErrors(now.form, errors) } : now));
  }, [errors]);
  const choose = (next: 'form' | 'json') => {
    if (next === 'form') setBodyForm(openBodyForm(schema, json));
    setView(next);
  };
  const edit = (next: FormState) => {
    setBodyForm({ form: next });
    if ('form' in bodyForm && next.data !== bodyForm.form.data) onChange(bodyText(next));
  };
  const label = title ?? text('body');
  const isForm = view === 'form' && 'form' in bodyForm;
  return (
    <div className="gh-stack">
      <div className="gh-api-body">
        <p>
          {label} {title === undefined && <span className="gh-quiet">{text('body.help')}</span>}
        </p>
        {hasForm && (
          <Segments
            label={text('body.view')}
            options={VIEWS.map((key) => ({ key, label: text(key) }))}
            value={isForm ? 'form' : 'json'}
            onChange={choose}
          />
        )}
      </div>
      {isForm ? (
        <FormView state={bodyForm.form} onChange={edit} {...(title !== undefined && { view: 'form' })} />
      ) : (
        <CodeEditor label={label} value={json} onChange={onChange} height={heightOf(json)} />
      )}
      {fault !== undefined && <p role="alert">{fault}</p>}
      {hasForm && view === 'form' && 'lack' in bodyForm && fault === undefined && (
        <p role="status">{text('body.noForm', { reason: bodyForm.lack })}</p>
      )}
    </div>
  );
}

function heightOf(json: string): 'small' | 'medium' {
  return json.split('\n').length > 12 ? 'medium' : 'small';
}

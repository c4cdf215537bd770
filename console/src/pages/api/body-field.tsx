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

const VIEWS = ['form', 'json'] as const;

/**
 * Renders the body of a call, as a form and as JSON of the same text. If the schema supports no form, there
 * is only JSON.
 */
export function BodyField({ schema, text: json, onChange, fault, title, errors }: BodyFieldProps): ReactNode {
  const [bodyForm, setBodyForm] = useState<BodyForm>(() => openBodyForm(schema, json));
  const [hasForm] = useState('form' in bodyForm);
  const [view, setView] = useState<'form' | 'json'>('form');
  useEffect(() => setBodyForm((now) => marked(now, errors)), [errors]);
  const choose = (next: 'form' | 'json') => {
    if (next === 'form') setBodyForm(openBodyForm(schema, json));
    setView(next);
  };
  const edit = (next: FormState) => {
    setBodyForm({ form: next });
    if ('form' in bodyForm && next.data !== bodyForm.form.data) onChange(bodyText(next));
  };
  const isForm = view === 'form' && 'form' in bodyForm;
  return (
    <div className="gh-stack">
      <BodyHead title={title} view={isForm ? 'form' : 'json'} onChoose={hasForm ? choose : undefined} />
      {isForm ? (
        <FormView state={bodyForm.form} onChange={edit} {...(title !== undefined && { view: 'form' })} />
      ) : (
        <CodeEditor label={title ?? text('body')} value={json} onChange={onChange} height={heightOf(json)} />
      )}
      {fault !== undefined && <p role="alert">{fault}</p>}
      {hasForm && view === 'form' && 'lack' in bodyForm && fault === undefined && (
        <p role="status">{text('body.noForm', { reason: bodyForm.lack })}</p>
      )}
    </div>
  );
}

/** Returns a form with the errors of the server at its fields. */
function marked(body: BodyForm, errors: readonly ProblemError[] = []): BodyForm {
  return 'form' in body && errors.length > 0 ? { form: withServerErrors(body.form, errors) } : body;
}

interface BodyHeadProps {
  readonly title: string | undefined;
  readonly view: 'form' | 'json';
  /** Undefined if there is only JSON. */
  readonly onChoose: ((view: 'form' | 'json') => void) | undefined;
}

function BodyHead({ title, view, onChoose }: BodyHeadProps): ReactNode {
  return (
    <div className="gh-api-body">
      <p>
        {title ?? (
          <>
            {text('body')} <span className="gh-quiet">{text('body.help')}</span>
          </>
        )}
      </p>
      {onChoose && (
        <Segments
          label={text('body.view')}
          options={VIEWS.map((key) => ({ key, label: text(key) }))}
          value={view}
          onChange={onChoose}
        />
      )}
    </div>
  );
}

function heightOf(json: string): 'small' | 'medium' {
  return json.split('\n').length > 12 ? 'medium' : 'small';
}
